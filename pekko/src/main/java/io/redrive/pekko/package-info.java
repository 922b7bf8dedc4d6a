/**
 * RetryingActorBehavior behaviors for typed Pekko actors. {@link io.redrive.pekko.RetryBehavior} goes around any behavior; what the
 * behavior throws is retried by the actor's timer, while other messages flow.
 */
package io.redrive.pekko;
