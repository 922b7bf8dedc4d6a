package io.redrive.pekko;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor for tests: fails as often as a message says, and reports attempts to a probe. */
final class Worker {

    private Worker() {}

    sealed interface Command {}

    /** Fails at the first {@code failures} attempts. */
    record Work(String id, int failures, Exception error) implements Command {
        Work(String id, int failures) {
            this(id, failures, new IOException("no answer to " + id));
        }
    }

    /** Answered with the ids of finished work; the answer shows that all earlier messages were handled. */
    record Ask(ActorRef<List<String>> replyTo) implements Command {}

    record Stop() implements Command {}

    /** Reports failed attempts, finished work and signals to {@code probe}. */
    static Behavior<Command> reportingTo(ActorRef<String> probe) {
        return Behaviors.setup(ctx -> new Incarnation(probe).behavior());
    }

    private static final class Incarnation {
        private final ActorRef<String> probe;
        private final Map<String, Integer> attempts = new HashMap<>();
        private final List<String> done = new ArrayList<>();

        Incarnation(ActorRef<String> probe) {
            this.probe = probe;
        }

        Behavior<Command> behavior() {
            return Behaviors.receive(Command.class)
                    .onMessage(Work.class, this::work)
                    .onMessage(Ask.class, ask -> {
                        ask.replyTo().tell(List.copyOf(done));
                        return Behaviors.same();
                    })
                    .onMessage(Stop.class, stop -> Behaviors.stopped())
                    .onSignal(PreRestart.class, signal -> told("restarting"))
                    .onSignal(PostStop.class, signal -> told("stopped"))
                    .build();
        }

        private Behavior<Command> work(Work work) throws Exception {
            int attempt = attempts.merge(work.id(), 1, Integer::sum);
            if (attempt <= work.failures()) {
                probe.tell(work.id() + " failed");
                throw work.error();
            }
            done.add(work.id());
            return told(work.id() + " done");
        }

        private Behavior<Command> told(String what) {
            probe.tell(what);
            return Behaviors.same();
        }
    }
}
