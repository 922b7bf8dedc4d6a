/**
 * Actors as beans, for applications with {@code redrive-pekko}.
 *
 * <dl>
 * <dt>actor bean</dt>
 * <dd>A bean of type {@link io.redrive.spring.actors.SpringActor}; creates the behaviors of all actors of one kind.</dd>
 * <dt>kind</dt>
 * <dd>The actors of one actor bean. The name of a kind is the simple name of the bean's class.</dd>
 * <dt>id</dt>
 * <dd>Distinguishes the actors of a kind. {@link io.redrive.spring.actors.SpringActorSystem} finds an actor by bean type and
 * id.</dd>
 * <dt>reference</dt>
 * <dd>{@link io.redrive.spring.actors.SpringActorRef}, with which messages are sent to an actor, whether or not the actor
 * exists.</dd>
 * </dl>
 *
 * <p>Retry behavior, attempt, refused and dropped message are defined in the package {@code io.redrive.pekko}.
 */
@NullMarked
package io.redrive.spring.actors;

import org.jspecify.annotations.NullMarked;
