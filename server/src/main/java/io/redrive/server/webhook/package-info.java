/**
 * Webhooks out and in. The terms:
 *
 * <dl>
 *   <dt>route</dt>
 *   <dd>Name patterns, a URL, and the settings of the delivery. The URL's receiver is the <em>destination</em>.
 *   <dt>delivery event</dt>
 *   <dd>The event {@code webhook.<route>} that is made for each route of a published event. Its handler sends the request.
 *   <dt>fan-out</dt>
 *   <dd>The handler that makes delivery events.
 *   <dt>gate</dt>
 *   <dd>The limits of a destination on one node: concurrency, rate, circuit breaker, and the time that the destination asked for.
 *   <dt>disabled route</dt>
 *   <dd>A route whose delivery events are paused by name. The events wait and are neither dropped nor dead.
 *   <dt>receiver</dt>
 *   <dd>An address {@code /in/<name>} of this server that takes webhooks of another system.
 * </dl>
 */
@NullMarked
package io.redrive.server.webhook;

import org.jspecify.annotations.NullMarked;
