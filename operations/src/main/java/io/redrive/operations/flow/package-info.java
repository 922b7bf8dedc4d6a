/**
 * Flows of records from topics, as the nodes of a store reported them. The terms of {@link io.redrive.events.flow}, and:
 *
 * <dl>
 *   <dt>running</dt>
 *   <dd>Said of a node that reported within the last 15 seconds.
 *   <dt>stale</dt>
 *   <dd>Said of a node that has not reported since, and of the figures of topics without a running node.
 *   <dt>stopped</dt>
 *   <dd>Said of a node that was stopped in good order.
 * </dl>
 */
@NullMarked
package io.redrive.operations.flow;

import org.jspecify.annotations.NullMarked;
