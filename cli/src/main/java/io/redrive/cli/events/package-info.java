/**
 * The commands {@code redrive events …}: what became of an event.
 *
 * <dl>
 *   <dt>state</dt>
 *   <dd>waiting, claimed, dead or finished
 *   <dt>journal</dt>
 *   <dd>the finished events that the store remembers for a while; off unless the store is opened with a retention
 *   <dt>chain</dt>
 *   <dd>the events that share a correlation id
 * </dl>
 */
@NullMarked
package io.redrive.cli.events;

import org.jspecify.annotations.NullMarked;
