package io.redrive.pekko;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryExhaustedException;
import io.redrive.core.RetryListener;
import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterSink;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.pekko.Worker.Command;
import io.redrive.pekko.Worker.Work;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Given-up messages in the dead-letter sink, and the events that listeners receive. */
final class DeadLetterTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.probe();
    private final TestProbe<Throwable> failures = RIG.kit.createTestProbe();
    private final ManualTime time = new ManualTime();

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private ActorRef<Command> spawn(RetryBehavior<Command> retry) {
        TestProbe<ActorRef<Command>> started = RIG.kit.createTestProbe();
        RIG.kit.spawn(Behaviors.<Void>setup(ctx -> {
            ActorRef<Command> child = ctx.spawn(retry.around(Worker.reportingTo(probe.getRef())), "worker");
            ctx.watch(child);
            started.getRef().tell(child);
            return Behaviors.receive(Void.class)
                    .onSignal(ChildFailed.class, failed -> {
                        failures.getRef().tell(failed.getCause());
                        return Behaviors.stopped();
                    })
                    .build();
        }));
        return started.receiveMessage(Rig.PATIENCE);
    }

    private void exhaust(ActorRef<Command> worker) {
        worker.tell(new Work("a", 3));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a failed");
        time.advance(ofSeconds(5));
        RIG.pass(ofMillis(200), worker);
        probe.expectMessage("a failed");
    }

    @Test
    void an_exhausted_message_becomes_a_dead_letter_with_its_history() {
        InMemoryEventStore store = new InMemoryEventStore();
        ActorRef<Command> worker = spawn(RIG.retry()
                .named("orders")
                .time(time)
                .deadLetters(
                        DeadLetterSink.into(
                                store.deadLetters(),
                                message -> Event.named("actor.work")
                                        .id(((Work) message).id())
                                        .source("orders")
                                        .text("work")
                                        .time(time)
                                        .build()),
                        message -> ((Work) message).id()));
        exhaust(worker);
        assertThat(failures.receiveMessage(Rig.PATIENCE)).isInstanceOf(RetryExhaustedException.class);

        List<DeadLetter> letters = store.deadLetters().list(LetterFilter.ALL, 0, 10);
        assertThat(letters).hasSize(1);
        DeadLetter letter = store.deadLetters().find(letters.get(0).id()).orElseThrow();
        assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
        assertThat(letter.errorType()).isEqualTo("IOException");
        assertThat(letter.lastError()).contains("no answer to a");
        assertThat(letter.service()).isEqualTo("orders");
        assertThat(letter.event().headers()).containsEntry(DeadLetter.KEY_HEADER, "a");
        assertThat(letter.history()).extracting(AttemptRecord::number).containsExactly(1, 2, 3);
        assertThat(letter.history()).extracting(AttemptRecord::decision).containsExactly("retry", "retry", "dead");
        assertThat(letter.history())
                .extracting(AttemptRecord::why)
                .containsExactly("after 100ms", "after 200ms", "max_attempts_exceeded");
        assertThat(letter.history()).allSatisfy(line -> assertThat(line.node()).endsWith("/worker"));
    }

    @Test
    void a_message_that_is_not_retryable_becomes_a_dead_letter_at_once() {
        Queue<Reason> reasons = new ConcurrentLinkedQueue<>();
        ActorRef<Command> worker = spawn(RetryBehavior.of(
                        Command.class,
                        Rig.POLICY.toBuilder().doNotRetryOn(IOException.class).build())
                .deadLetters(letter -> reasons.add(letter.reason())));
        worker.tell(new Work("a", 1));
        assertThat(failures.receiveMessage(Rig.PATIENCE)).isInstanceOf(IOException.class);
        assertThat(reasons).containsExactly(Reason.NOT_RETRYABLE);
    }

    @Test
    void the_failure_of_a_sink_is_suppressed_in_the_exception_of_the_actor() {
        IOException diskFull = new IOException("disk full");
        ActorRef<Command> worker = spawn(RIG.retry().deadLetters(letter -> {
            throw diskFull;
        }));
        exhaust(worker);
        assertThat(failures.receiveMessage(Rig.PATIENCE))
                .isInstanceOf(RetryExhaustedException.class)
                .hasSuppressedException(diskFull);
    }

    @Test
    void listeners_hear_only_of_messages_with_a_failed_attempt() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        ActorRef<Command> worker = spawn(RIG.retry().named("worker").listener(new Noting(heard)));
        worker.tell(new Work("at once", 0));
        probe.expectMessage("at once done");
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a done");
        worker.tell(new Work("b", 9));
        probe.expectMessage("b failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("b failed");
        RIG.pass(ofMillis(200), worker);
        failures.receiveMessage(Rig.PATIENCE);
        assertThat(heard)
                .containsExactly(
                        "worker attempt 1 failed",
                        "worker retry 1 after PT0.1S",
                        "worker attempt 2",
                        "worker success 2",
                        "worker attempt 1 failed",
                        "worker retry 1 after PT0.1S",
                        "worker attempt 2 failed",
                        "worker retry 2 after PT0.2S",
                        "worker attempt 3 failed",
                        "worker gave up 3 max_attempts_exceeded");
    }

    @Test
    void callbacks_of_the_policy_hear_of_every_message() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        ActorRef<Command> worker = spawn(RetryBehavior.of(
                Command.class,
                Rig.POLICY.toBuilder()
                        .onRetry(event -> heard.add("retry " + event.attempt()))
                        .onSuccess(event -> heard.add("success " + event.attempts()))
                        .build()));
        worker.tell(new Work("at once", 0));
        worker.tell(new Work("a", 1));
        RIG.pass(ofMillis(100), worker);
        RIG.doneBy(worker);
        // The two Ask messages of this test succeed too; the worker answers before the callbacks hear of the success.
        await().untilAsserted(() ->
                assertThat(heard).containsExactly("success 1", "retry 1", "success 1", "success 2", "success 1"));
    }

    private record Noting(Queue<String> heard) implements RetryListener {
        @Override
        public void onAttempt(Attempted event) {
            heard.add(event.name() + " attempt " + event.attempt()
                    + (event.failure().isPresent() ? " failed" : ""));
        }

        @Override
        public void onRetry(Retrying event) {
            heard.add(event.name() + " retry " + event.attempt() + " after " + event.delay());
        }

        @Override
        public void onSuccess(Succeeded event) {
            heard.add(event.name() + " success " + event.attempts());
        }

        @Override
        public void onGaveUp(GaveUp event) {
            heard.add(event.name() + " gave up " + event.attempts() + " " + event.reason());
        }
    }
}
