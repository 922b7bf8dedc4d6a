package io.redrive.pekko;

import com.typesafe.config.ConfigFactory;
import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/** An actor system with manual time, and actors for tests. */
final class Rig implements AutoCloseable {

    /** How long a test waits before it fails; long enough for a loaded machine. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    static final RetryPolicy POLICY = RetryPolicy.builder()
            .maxAttempts(3)
            .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0))
            .jitter(Jitter.none())
            .build();

    final ActorTestKit kit = ActorTestKit.create(ManualTime.config()
            .withFallback(ConfigFactory.parseString("pekko.actor.testkit.typed.single-expect-default = 30s\n"
                    + "pekko.actor.testkit.typed.default-timeout = 30s\npekko.actor.serialize-messages = off")));
    final ManualTime time = ManualTime.get(kit.system());

    RetryBehavior<Worker.Command> retry() {
        return RetryBehavior.of(Worker.Command.class, POLICY);
    }

    TestProbe<String> probe() {
        return kit.createTestProbe(String.class);
    }

    <T> TestProbe<T> eventsOf(Class<T> type) {
        TestProbe<T> probe = kit.createTestProbe(type);
        // The classic subscription is complete when subscribe returns; the typed one is a message.
        Adapter.toClassic(kit.system()).eventStream().subscribe(Adapter.toClassic(probe.getRef()), type);
        return probe;
    }

    ActorRef<Worker.Command> spawn(Behavior<Worker.Command> behavior) {
        return kit.spawn(behavior);
    }

    /** Lets time pass after {@code actor} has handled its mailbox and set the timers. */
    void pass(Duration amount, ActorRef<Worker.Command> actor) {
        doneBy(actor);
        time.timePasses(amount);
    }

    List<String> doneBy(ActorRef<Worker.Command> actor) {
        TestProbe<List<String>> answer = kit.createTestProbe();
        actor.tell(new Worker.Ask(answer.getRef()));
        return answer.receiveMessage(PATIENCE);
    }

    @Override
    public void close() {
        kit.shutdownTestKit();
    }
}
