package io.redrive.pekko;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryExhaustedException;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.pekko.Worker.Command;
import io.redrive.pekko.Worker.Work;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Retries of messages and their ends. The first five tests are the scenarios of the requirements, under their names. */
final class RetryBehaviorTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.probe();

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private ActorRef<Command> worker(RetryPolicy policy) {
        return RIG.spawn(RetryBehavior.of(Command.class, policy).around(Worker.reportingTo(probe.getRef())));
    }

    // ---- The five scenarios of the requirements ----

    @Test
    void successful_retry() {
        ActorRef<Command> worker = worker(Rig.POLICY);
        worker.tell(new Work("a", 2));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(200), worker);
        probe.expectMessage("a done");
        assertThat(RIG.doneBy(worker)).containsExactly("a");
    }

    @Test
    void exponential_backoff() {
        ActorRef<Command> worker = worker(Rig.POLICY.toBuilder().maxAttempts(5).build());
        worker.tell(new Work("a", 4));
        probe.expectMessage("a failed");
        for (long delay : List.of(100L, 200L, 400L, 800L)) {
            RIG.doneBy(worker);
            RIG.time.expectNoMessageFor(ofMillis(delay - 1), probe);
            RIG.time.timePasses(ofMillis(1));
            probe.expectMessage(delay == 800 ? "a done" : "a failed");
        }
    }

    @Test
    void jitter() {
        List<Duration> delays = new ArrayList<>();
        RetryPolicy policy = Rig.POLICY.toBuilder()
                .maxAttempts(1_000)
                .backoff(Backoff.fixed(ofMillis(100)))
                .jitter(0.2)
                .build();
        ActorRef<Command> worker = RIG.spawn(RetryBehavior.of(Command.class, policy)
                .random(new Random(42))
                .onRetry(retry -> delays.add(retry.delay()))
                .around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Work("a", 20));
        for (int i = 0; i < 20; i++) {
            probe.expectMessage("a failed");
            RIG.pass(ofMillis(120), worker);
        }
        probe.expectMessage("a done");
        assertThat(delays).hasSize(20).allSatisfy(delay -> assertThat(delay).isBetween(ofMillis(80), ofMillis(120)));
        assertThat(delays).anyMatch(delay -> delay.compareTo(ofMillis(95)) < 0);
        assertThat(delays).anyMatch(delay -> delay.compareTo(ofMillis(105)) > 0);
    }

    @Test
    void retry_exhausted() {
        AtomicReference<RetryContext<Command>> exhausted = new AtomicReference<>();
        TestProbe<Throwable> parent = RIG.kit.createTestProbe();
        ActorRef<Command> worker = supervised(RIG.retry().onRetryExhausted(exhausted::set), parent.getRef());
        worker.tell(new Work("a", 3));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(200), worker);
        probe.expectMessage("a failed");

        Throwable seen = parent.receiveMessage(Rig.PATIENCE);
        assertThat(seen)
                .isInstanceOf(RetryExhaustedException.class)
                .hasMessage("Worker on Work gave up after 3 attempts: max_attempts_exceeded")
                .hasCauseInstanceOf(IOException.class);
        assertThat(exhausted.get().message()).isInstanceOf(Work.class);
        assertThat(exhausted.get().attempt()).isEqualTo(3);
        assertThat(exhausted.get().maxAttempts()).isEqualTo(3);
        assertThat(exhausted.get().reason()).contains(Reason.MAX_ATTEMPTS_EXCEEDED);
        assertThat(exhausted.get().error()).hasMessage("no answer to a");
        assertThat(exhausted.get().elapsed()).isGreaterThanOrEqualTo(ofMillis(300));
        probe.expectMessage("stopped");
    }

    @Test
    void retry_conditions() {
        RetryPolicy policy = Rig.POLICY.toBuilder()
                .retryOn(TimeoutException.class, IOException.class)
                .doNotRetryOn(IllegalArgumentException.class)
                .retryIf(error -> "busy".equals(error.getMessage()))
                .build();
        isRetried(policy, new TimeoutException());
        isRetried(policy, new FileNotFoundException());
        isRetried(policy, new IllegalStateException("busy"));
        isRetried(policy, new RuntimeException(new IOException()));
        isNotRetried(policy, new IllegalStateException("broken"));
        isNotRetried(policy, new IllegalArgumentException("busy"));
    }

    private void isRetried(RetryPolicy policy, Exception error) {
        TestProbe<String> retries = RIG.probe();
        ActorRef<Command> worker = RIG.spawn(RetryBehavior.of(Command.class, policy)
                .onRetry(retry -> retries.getRef().tell("retry"))
                .around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Work("a", 1, error));
        probe.expectMessage("a failed");
        retries.expectMessage("retry");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("a done");
    }

    private void isNotRetried(RetryPolicy policy, Exception error) {
        TestProbe<Throwable> parent = RIG.kit.createTestProbe();
        List<RetryContext<Command>> told = new ArrayList<>();
        ActorRef<Command> worker = supervised(
                RetryBehavior.of(Command.class, policy).onRetry(told::add).onRetryExhausted(told::add),
                parent.getRef());
        worker.tell(new Work("a", 1, error));
        probe.expectMessage("a failed");
        assertThat(parent.receiveMessage(Rig.PATIENCE)).isSameAs(error);
        probe.expectMessage("stopped");
        assertThat(told).isEmpty();
    }

    /** Starts a child of an actor that reports the child's failure to {@code failures}. */
    private ActorRef<Command> supervised(RetryBehavior<Command> retry, ActorRef<Throwable> failures) {
        TestProbe<ActorRef<Command>> started = RIG.kit.createTestProbe();
        RIG.kit.spawn(Behaviors.<Void>setup(ctx -> {
            ActorRef<Command> child = ctx.spawn(retry.around(Worker.reportingTo(probe.getRef())), "worker");
            ctx.watch(child);
            started.getRef().tell(child);
            return Behaviors.receive(Void.class)
                    .onSignal(ChildFailed.class, failed -> {
                        failures.tell(failed.getCause());
                        return Behaviors.stopped();
                    })
                    .build();
        }));
        return started.receiveMessage(Rig.PATIENCE);
    }

    // ---- Further cases ----

    @Test
    void a_message_is_retried_while_a_thousand_others_flow() {
        ActorRef<Command> worker = worker(Rig.POLICY);
        worker.tell(new Work("late", 2));
        probe.expectMessage("late failed");
        for (int i = 0; i < 500; i++) {
            worker.tell(new Work("before-" + i, 0));
        }
        RIG.pass(ofMillis(100), worker);
        for (int i = 0; i < 500; i++) {
            worker.tell(new Work("between-" + i, 0));
        }
        RIG.pass(ofMillis(200), worker);
        List<String> done = RIG.doneBy(worker);
        assertThat(done).hasSize(1_001);
        assertThat(done.subList(0, 1_000)).doesNotContain("late");
        assertThat(done.get(1_000)).isEqualTo("late");
    }

    @Test
    void attempts_of_different_messages_are_counted_apart() {
        ActorRef<Command> worker = worker(Rig.POLICY);
        for (int i = 0; i < 100; i++) {
            worker.tell(new Work("work-" + i, 1 + i % 2));
        }
        RIG.pass(ofMillis(100), worker);
        assertThat(RIG.doneBy(worker)).hasSize(50).allMatch(id -> Integer.parseInt(id.substring(5)) % 2 == 0);
        RIG.pass(ofMillis(200), worker);
        assertThat(RIG.doneBy(worker)).hasSize(100);
    }

    @Test
    void a_wait_that_would_end_after_the_time_limit_is_refused() {
        AtomicReference<RetryContext<Command>> exhausted = new AtomicReference<>();
        TestProbe<Throwable> parent = RIG.kit.createTestProbe();
        RetryPolicy policy = Rig.POLICY.toBuilder()
                .maxAttempts(10)
                .maxDuration(ofMillis(250))
                .build();
        ActorRef<Command> worker =
                supervised(RetryBehavior.of(Command.class, policy).onRetryExhausted(exhausted::set), parent.getRef());
        worker.tell(new Work("a", 9));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a failed");
        assertThat(parent.receiveMessage(Rig.PATIENCE)).isInstanceOf(RetryExhaustedException.class);
        assertThat(exhausted.get().reason()).contains(Reason.TTL_EXCEEDED);
        assertThat(exhausted.get().attempt()).isEqualTo(2);
    }

    @Test
    void no_backoff_retries_without_the_clock() {
        ActorRef<Command> worker =
                worker(Rig.POLICY.toBuilder().backoff(Backoff.none()).build());
        worker.tell(new Work("a", 2));
        probe.expectMessage("a failed");
        probe.expectMessage("a failed");
        probe.expectMessage("a done");
    }

    @Test
    void a_wait_too_long_for_the_scheduler_is_cut() {
        AtomicReference<Duration> delay = new AtomicReference<>();
        ActorRef<Command> worker = RIG.spawn(RetryBehavior.of(
                        Command.class,
                        RetryPolicy.builder()
                                .backoff(Backoff.fixed(Duration.ofDays(100_000)))
                                .jitter(Jitter.none())
                                .build())
                .onRetry(retry -> delay.set(retry.delay()))
                .around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        RIG.pass(Duration.ofDays(10), worker);
        probe.expectMessage("a done");
        assertThat(delay.get()).isEqualTo(Duration.ofDays(10));
    }

    @Test
    void a_policy_with_one_attempt_throws_the_original_exception() {
        TestProbe<Throwable> parent = RIG.kit.createTestProbe();
        ActorRef<Command> worker = supervised(RetryBehavior.of(Command.class, RetryPolicy.noRetry()), parent.getRef());
        Work work = new Work("a", 1);
        worker.tell(work);
        assertThat(parent.receiveMessage(Rig.PATIENCE)).isSameAs(work.error());
    }

    @Test
    void a_failure_that_an_inner_retry_gave_up_is_not_retried_again() {
        RetryPolicy twice =
                Rig.POLICY.toBuilder().backoff(Backoff.none()).maxAttempts(2).build();
        TestProbe<Throwable> parent = RIG.kit.createTestProbe();
        TestProbe<String> calls = RIG.probe();
        RIG.kit.spawn(Behaviors.<Void>setup(ctx -> {
            ActorRef<String> child = ctx.spawn(
                    RetryBehavior.of(String.class, twice).around(Behaviors.receiveMessage(text -> {
                        Retry.with(twice).call(() -> {
                            calls.getRef().tell(text);
                            throw new IOException("always");
                        });
                        return Behaviors.same();
                    })),
                    "nested");
            ctx.watch(child);
            child.tell("call");
            return Behaviors.receive(Void.class)
                    .onSignal(ChildFailed.class, failed -> {
                        parent.getRef().tell(failed.getCause());
                        return Behaviors.stopped();
                    })
                    .build();
        }));
        assertThat(parent.receiveMessage(Rig.PATIENCE)).isInstanceOf(IOException.class);
        calls.expectMessage("call");
        calls.expectMessage("call");
        calls.expectNoMessage(Duration.ZERO);
    }

    @Test
    void a_handler_can_read_the_number_of_its_attempt() {
        ActorRef<String> actor = RIG.kit.spawn(RetryBehavior.of(String.class, Rig.POLICY)
                .around(attempt -> Behaviors.receiveMessage(text -> {
                    probe.getRef()
                            .tell(text + " " + attempt.number() + "/" + attempt.maxAttempts()
                                    + (attempt.isLast() ? " last" : ""));
                    if (text.equals("a") && !attempt.isLast()) {
                        throw new IOException("again");
                    }
                    return Behaviors.same();
                })));
        actor.tell("a");
        probe.expectMessage("a 1/3");
        actor.tell("b");
        probe.expectMessage("b 1/3");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("a 2/3");
        actor.tell("b");
        probe.expectMessage("b 1/3");
        RIG.time.timePasses(ofMillis(200));
        probe.expectMessage("a 3/3 last");
    }

    @Test
    void a_retry_goes_to_the_current_behavior() {
        Behavior<String> second = Behaviors.receiveMessage(text -> {
            probe.getRef().tell("second got " + text);
            return Behaviors.same();
        });
        Behavior<String> first = Behaviors.receiveMessage(text -> {
            if (text.equals("switch")) {
                probe.getRef().tell("switched");
                return second;
            }
            probe.getRef().tell("first failed");
            throw new IOException("not ready");
        });
        ActorRef<String> actor =
                RIG.kit.spawn(RetryBehavior.of(String.class, Rig.POLICY).around(first));
        actor.tell("a");
        probe.expectMessage("first failed");
        actor.tell("switch");
        probe.expectMessage("switched");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("second got a");
    }

    @Test
    void only_the_innermost_of_nested_retries_retries() {
        RetryPolicy many = Rig.POLICY.toBuilder().maxAttempts(50).build();
        ActorRef<Command> worker = RIG.spawn(
                RetryBehavior.of(Command.class, many).around(RIG.retry().around(Worker.reportingTo(probe.getRef()))));
        worker.tell(new Work("a", 3));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(200), worker);
        probe.expectMessage("a failed");
        probe.expectMessage("stopped");
    }

    @Test
    void callbacks_that_throw_change_nothing() {
        ActorRef<Command> worker = RIG.spawn(RIG.retry()
                .onRetry(retry -> {
                    throw new IllegalStateException("broken callback");
                })
                .listener(new RetryListener() {
                    @Override
                    public void onRetry(Retrying event) {
                        throw new IllegalStateException("broken listener");
                    }
                })
                .around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a done");
    }

    @Test
    void a_policy_that_throws_gives_up_with_the_failure_of_the_message() {
        TestProbe<Throwable> parent = RIG.kit.createTestProbe();
        RetryPolicy broken = Rig.POLICY.toBuilder()
                .backoff(Backoff.custom(attempt -> {
                    throw new IllegalStateException("broken backoff");
                }))
                .build();
        Work work = new Work("a", 1);
        supervised(RetryBehavior.of(Command.class, broken), parent.getRef()).tell(work);
        assertThat(parent.receiveMessage(Rig.PATIENCE)).isSameAs(work.error());
        assertThat(work.error().getSuppressed())
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("broken backoff");
    }

    @Test
    void an_exception_whose_methods_throw_is_retried() {
        ActorRef<Command> worker = RIG.spawn(RIG.retry()
                .onRetry(context -> {
                    throw new AssertionError("broken callback");
                })
                .around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Work("a", 1, new Unreadable()));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a done");
    }

    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    @Test
    void a_policy_can_change_while_its_actor_lives() {
        AtomicReference<RetryPolicy> policy =
                new AtomicReference<>(Rig.POLICY.toBuilder().maxAttempts(1).build());
        List<String> told = new CopyOnWriteArrayList<>();
        ActorRef<Command> worker = RIG.spawn(Behaviors.supervise(
                        RetryBehavior.following(Command.class, policy::get).around(Worker.reportingTo(probe.getRef())))
                .onFailure(SupervisorStrategy.resume()));
        worker.tell(new Work("before", 1));
        probe.expectMessage("before failed");
        RIG.doneBy(worker);
        policy.set(Rig.POLICY.toBuilder()
                .maxDuration(ofMillis(250))
                .onRetry(retry -> told.add("retry"))
                .onSuccess(success -> told.add("success"))
                .onRetryExhausted(end -> told.add(end.reason().code()))
                .build());

        worker.tell(new Work("after", 3));
        probe.expectMessage("after failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("after failed");
        assertThat(RIG.doneBy(worker)).isEmpty();
        // The handler answers first; the callbacks hear of its success afterwards.
        await().untilAsserted(() -> assertThat(told).containsExactly("retry", "success", "ttl_exceeded", "success"));
    }

    @Test
    void an_actor_whose_policy_is_gone_keeps_the_previous_one() {
        AtomicBoolean gone = new AtomicBoolean();
        ActorRef<Command> worker = RIG.spawn(RetryBehavior.following(Command.class, () -> {
                    if (gone.get()) {
                        throw new IllegalArgumentException("no policy 'api'");
                    }
                    return Rig.POLICY;
                })
                .around(Worker.reportingTo(probe.getRef())));
        RIG.doneBy(worker);
        gone.set(true);
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a done");
    }

    @Test
    void bad_settings_are_refused() {
        RetryBehavior<Command> retry = RIG.retry();
        assertThatThrownBy(() -> retry.named(" ")).hasMessage("retry behavior name must not be blank, got ' '");
        assertThatThrownBy(() -> retry.inOrder(0)).hasMessage("limit of held messages must be at least 1, got 0");
        assertThatThrownBy(() -> RetryBehavior.of(Command.class, null)).hasMessage("policy");
        assertThat(retry).hasToString("retry of Worker: " + Rig.POLICY);
        assertThat(retry.named("worker")).hasToString("retry of worker: " + Rig.POLICY);
    }

    /** On Pekko's test kit for one behavior: an actor system would end the JVM. */
    @Test
    void an_error_of_the_machine_leaves_the_actor_at_once_and_no_listener_hears_of_an_attempt() {
        List<String> heard = new CopyOnWriteArrayList<>();
        InternalError broken = new InternalError("of the machine");
        BehaviorTestKit<Command> actor = BehaviorTestKit.create(RIG.retry()
                .listener(new RetryListener() {
                    @Override
                    public void onAttempt(Attempted event) {
                        heard.add("attempt");
                    }

                    @Override
                    public void onGaveUp(GaveUp event) {
                        heard.add("gave up");
                    }
                })
                .around(Behaviors.receiveMessage(message -> {
                    throw broken;
                })));

        assertThatThrownBy(() -> actor.run(new Work("a", 0))).isSameAs(broken);
        assertThat(heard).isEmpty();
    }
}
