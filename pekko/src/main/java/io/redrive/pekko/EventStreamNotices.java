package io.redrive.pekko;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/** Publishes dropped and unhandled messages on the event stream of the actor system, in the form that Pekko itself uses. */
final class EventStreamNotices {

    private EventStreamNotices() {}

    static void dropped(ActorContext<?> actor, Object message, String why) {
        publish(actor, new Dropped(message, why, ActorRef.noSender(), Adapter.toClassic(actor.getSelf())));
    }

    static void unhandled(ActorContext<?> actor, Object message) {
        publish(actor, new UnhandledMessage(message, ActorRef.noSender(), Adapter.toClassic(actor.getSelf())));
    }

    private static void publish(ActorContext<?> actor, Object notice) {
        Adapter.toClassic(actor.getSystem()).eventStream().publish(notice);
    }
}
