/**
 * Retrying behaviors for typed Pekko actors: {@link io.redrive.pekko.RetryBehavior} wraps any behavior and retries the
 * messages that the behavior fails at. The actor's timer waits between attempts, so the actor handles other messages
 * meanwhile.
 *
 * <dl>
 * <dt>retry behavior</dt>
 * <dd>The settings of a retry: policy, callbacks, order, dead-letter sink, circuit breaker, budget. Immutable, shared by the
 * actors of one kind.</dd>
 * <dt>inner behavior</dt>
 * <dd>The user's behavior, which handles messages and knows nothing of retries.</dd>
 * <dt>attempt</dt>
 * <dd>One delivery of a message to the inner behavior. Attempts of a message are counted from 1.</dd>
 * <dt>pending message</dt>
 * <dd>A message that waits for its next attempt or for the result of an asynchronous attempt.</dd>
 * <dt>held message</dt>
 * <dd>With {@code inOrder}: a message that arrived while another message was pending, and waits for its turn.</dd>
 * <dt>waiting messages</dt>
 * <dd>The pending and the held messages of an actor. They survive a restart of the actor.</dd>
 * <dt>awaited result</dt>
 * <dd>The value on which the success of an attempt depends; the policy's {@code retryOnResult} judges it. It is ready when
 * the handler returns, or comes from a {@code CompletionStage}.</dd>
 * <dt>run</dt>
 * <dd>The time between the start of a {@code CompletionStage} and its result. A restart abandons the run, and the attempt
 * begins anew under the same number.</dd>
 * <dt>incarnation</dt>
 * <dd>Pekko's word for an actor between its start and its next restart or stop.</dd>
 * <dt>refused message</dt>
 * <dd>A message that an open circuit breaker did not let through to the inner behavior.</dd>
 * <dt>dropped message</dt>
 * <dd>A message that is published as Pekko's {@code Dropped} on the event stream of the actor system, because it reaches
 * neither the inner behavior nor a dead-letter sink.</dd>
 * <dt>actor family</dt>
 * <dd>Actors of one kind on one node, found by an id; a single one is a member.</dd>
 * </dl>
 */
@NullMarked
package io.redrive.pekko;

import org.jspecify.annotations.NullMarked;
