/**
 * The commands {@code redrive demo …}: sample traffic that fails in typical ways.
 *
 * <dl>
 *   <dt>traffic</dt>
 *   <dd>the events that the demo publishes
 *   <dt>services</dt>
 *   <dd>the handlers of these events, which fail on purpose until the demo runs with {@code --fixed}
 *   <dt>board</dt>
 *   <dd>the counts of what happened to the events, by event name
 *   <dt>site</dt>
 *   <dd>the parts around the events: a server with the console as a child process, a receiver of its webhooks, an item run
 *   <dt>scene</dt>
 *   <dd>one call of the demo of in-process retries
 *   <dt>model</dt>
 *   <dd>an HTTP service on this machine that behaves like a language model behind an API
 * </dl>
 */
@NullMarked
package io.redrive.cli.demo;

import org.jspecify.annotations.NullMarked;
