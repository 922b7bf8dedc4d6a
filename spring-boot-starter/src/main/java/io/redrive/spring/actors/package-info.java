/**
 * Actors as beans: a {@link io.redrive.spring.actors.SpringActor} makes the behavior, with whatever Spring injects into it,
 * and {@link io.redrive.spring.actors.SpringActorSystem} finds the actor by type and id. There when the application has
 * {@code redrive-pekko}.
 */
package io.redrive.spring.actors;
