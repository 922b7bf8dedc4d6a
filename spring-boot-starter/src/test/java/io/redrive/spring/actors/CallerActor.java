package io.redrive.spring.actors;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.pekko.RetryBehavior;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor for tests with an injected service, which fails as often as a message says. Remembers finished calls. */
final class CallerActor implements SpringActor<CallerActor.Command> {

    static final RetryPolicy POLICY = RetryPolicy.builder()
            .maxAttempts(3)
            .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0))
            .jitter(Jitter.none())
            .build();

    sealed interface Command {}

    record Call(String what, int failures, Exception error) implements Command {
        Call(String what, int failures) {
            this(what, failures, new IOException("no answer to " + what));
        }
    }

    /** Answered with the finished calls of the current incarnation. */
    record GetDone(ActorRef<List<String>> replyTo) implements Command {}

    private final Service service;
    private final Settings settings;

    /** The options of the actor, chosen by tests. */
    record Settings(RetryPolicy policy, UnaryOperator<RetryBehavior<Command>> retry, SupervisorStrategy supervision) {
        static Settings usual() {
            return new Settings(POLICY, UnaryOperator.identity(), SupervisorStrategy.stop());
        }

        Settings with(RetryPolicy other) {
            return new Settings(other, retry, supervision);
        }

        Settings with(UnaryOperator<RetryBehavior<Command>> other) {
            return new Settings(policy, other, supervision);
        }

        Settings with(SupervisorStrategy other) {
            return new Settings(policy, retry, other);
        }
    }

    CallerActor(Service service, Settings settings) {
        this.service = service;
        this.settings = settings;
    }

    @Override
    public SpringActorBehavior<Command> create(SpringActorContext ctx) {
        List<String> done = new ArrayList<>();
        return SpringActorBehavior.builder(Command.class, ctx)
                .withRetry(settings.policy(), settings.retry())
                .withSupervision(settings.supervision())
                .onMessage(Call.class, (context, call) -> {
                    service.call(ctx.id(), call);
                    done.add(call.what());
                    return Behaviors.same();
                })
                .onMessage(GetDone.class, (context, get) -> {
                    get.replyTo().tell(List.copyOf(done));
                    return Behaviors.same();
                })
                .build();
    }

    /** The injected service; reports each call to a probe. */
    static final class Service {
        private final ActorRef<String> probe;
        private final Map<String, Integer> calls = new HashMap<>();

        Service(ActorRef<String> probe) {
            this.probe = probe;
        }

        synchronized void call(String id, Call call) throws Exception {
            boolean fails = calls.merge(id + call.what(), 1, Integer::sum) <= call.failures();
            probe.tell(call.what() + (fails ? " failed" : " done"));
            if (fails) {
                throw call.error();
            }
        }
    }
}
