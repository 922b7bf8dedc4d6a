package io.redrive.pekko;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AbandonedEvent;
import io.redrive.pekko.Worker.Command;
import io.redrive.pekko.Worker.Stop;
import io.redrive.pekko.Worker.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Restart, resume and stop of an actor while messages wait. */
final class LifecycleTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.probe();

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private ActorRef<Command> worker(SupervisorStrategy strategy) {
        return RIG.spawn(supervised(RIG.retry(), strategy));
    }

    private Behavior<Command> supervised(RetryBehavior<Command> retry, SupervisorStrategy strategy) {
        return Behaviors.supervise(retry.around(Worker.reportingTo(probe.getRef())))
                .onFailure(strategy);
    }

    /** A message whose exception the policy does not retry: the actor fails at once. */
    private static Work fatal() {
        return new Work("fatal", 99, new Fatal());
    }

    /** Not retried by the policy below. */
    private static final class Fatal extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final RetryPolicy POLICY =
            Rig.POLICY.toBuilder().doNotRetryOn(Fatal.class).build();

    @Test
    void a_retry_survives_a_restart_and_keeps_its_attempts() {
        ActorRef<Command> worker =
                RIG.spawn(supervised(RetryBehavior.of(Command.class, POLICY), SupervisorStrategy.restart()));
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        worker.tell(fatal());
        probe.expectMessage("fatal failed");
        probe.expectMessage("restarting");
        // The new incarnation counts the failures of "a" from zero: its first failure is attempt 2 of 3.
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a failed");
        RIG.doneBy(worker);
        RIG.time.expectNoMessageFor(ofMillis(199), probe);
        RIG.time.timePasses(ofMillis(1));
        probe.expectMessage("a done");
    }

    @Test
    void a_pending_message_survives_the_exhaustion_of_another() {
        ActorRef<Command> worker = worker(SupervisorStrategy.restart());
        worker.tell(new Work("doomed", 99));
        probe.expectMessage("doomed failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("doomed failed");
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a done");
        RIG.pass(ofMillis(99), worker);
        worker.tell(new Work("b", 1));
        probe.expectMessage("b failed");
        RIG.pass(ofMillis(1), worker);
        probe.expectMessage("doomed failed");
        probe.expectMessage("restarting");
        RIG.pass(ofMillis(99), worker);
        // The new incarnation sees "b" for the first time, in attempt 2.
        probe.expectMessage("b failed");
        RIG.pass(ofMillis(200), worker);
        probe.expectMessage("b done");
    }

    @Test
    void a_retry_goes_on_when_the_actor_resumes() {
        ActorRef<Command> worker =
                RIG.spawn(supervised(RetryBehavior.of(Command.class, POLICY), SupervisorStrategy.resume()));
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        worker.tell(fatal());
        probe.expectMessage("fatal failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a done");
    }

    @Test
    void a_restart_with_backoff_keeps_waiting_messages() {
        ActorRef<Command> worker = RIG.spawn(supervised(
                RetryBehavior.of(Command.class, POLICY),
                SupervisorStrategy.restartWithBackoff(ofMillis(1_000), ofMillis(1_000), 0)));
        worker.tell(new Work("a", 2));
        probe.expectMessage("a failed");
        worker.tell(fatal());
        probe.expectMessage("fatal failed");
        probe.expectMessage("restarting");
        // The retry comes due while the supervisor backs off, and is made when the actor has restarted.
        RIG.time.expectNoMessageFor(ofMillis(999), probe);
        RIG.time.timePasses(ofMillis(1));
        probe.expectMessage("a failed");
    }

    @Test
    void an_asynchronous_attempt_begins_anew_after_a_restart() {
        CompletableFuture<String> never = new CompletableFuture<>();
        Behavior<String> behavior = Behaviors.receiveMessage(text -> {
            probe.getRef().tell(text + " began");
            if (text.equals("fatal")) {
                throw new Fatal();
            }
            return RetryBehavior.await(never, answer -> {
                probe.getRef().tell(text + " got " + answer);
                return Behaviors.same();
            });
        });
        ActorRef<String> actor = RIG.kit.spawn(
                Behaviors.supervise(RetryBehavior.of(String.class, POLICY).around(behavior))
                        .onFailure(SupervisorStrategy.restart()));
        actor.tell("a");
        probe.expectMessage("a began");
        actor.tell("fatal");
        probe.expectMessage("fatal began");
        probe.expectMessage("a began");
        never.complete("answer");
        probe.expectMessage("a got answer");
        probe.expectNoMessage(Duration.ZERO);
    }

    /** Reports retries to the probe; an Ask message would be held while a message is pending. */
    private RetryBehavior<Command> inOrder() {
        return RIG.retry().inOrder(10).onRetry(retry -> probe.getRef().tell("retrying"));
    }

    @Test
    void order_survives_a_restart() {
        ActorRef<Command> worker = RIG.spawn(supervised(inOrder(), SupervisorStrategy.restart()));
        worker.tell(new Work("doomed", 99));
        worker.tell(new Work("b", 0));
        worker.tell(new Work("c", 0));
        probe.expectMessage("doomed failed");
        worker.tell(new Work("d", 0));
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("doomed failed");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(200));
        probe.expectMessage("doomed failed");
        probe.expectMessage("restarting");
        worker.tell(new Work("e", 0));
        probe.expectMessage("b done");
        probe.expectMessage("c done");
        probe.expectMessage("d done");
        probe.expectMessage("e done");
    }

    @Test
    void order_survives_a_resume() {
        ActorRef<Command> worker = RIG.spawn(supervised(inOrder(), SupervisorStrategy.resume()));
        worker.tell(new Work("doomed", 99));
        worker.tell(new Work("b", 0));
        probe.expectMessage("doomed failed");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("doomed failed");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(200));
        probe.expectMessage("doomed failed");
        probe.expectMessage("b done");
        assertThat(RIG.doneBy(worker)).containsExactly("b");
    }

    @Test
    void a_stop_publishes_pending_messages_as_dropped() {
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        Queue<RetryListener.GaveUp> heard = new ConcurrentLinkedQueue<>();
        ActorRef<Command> worker = RIG.spawn(RIG.retry()
                .named("stopping")
                .listener(new RetryListener() {
                    @Override
                    public void onGaveUp(GaveUp event) {
                        heard.add(event);
                    }
                })
                .around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        worker.tell(new Stop());
        probe.expectMessage("stopped");
        Dropped event = dropped.receiveMessage(Rig.PATIENCE);
        assertThat(event.message()).isInstanceOf(Work.class);
        assertThat(event.reason()).isEqualTo("stopping stopped before its retry");
        RIG.time.expectNoMessageFor(ofMillis(1_000), probe);
        assertThat(heard).singleElement().satisfies(end -> {
            assertThat(end.reason()).isEqualTo(Reason.CANCELLED);
            assertThat(end.attempts()).isEqualTo(1);
        });
    }

    @Test
    void a_stop_sends_pending_messages_to_the_dead_letter_sink() {
        Queue<AbandonedEvent<Command>> letters = new ConcurrentLinkedQueue<>();
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        ActorRef<Command> worker =
                RIG.spawn(RIG.retry().deadLetters(letters::add).around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Work("a", 1));
        worker.tell(new Work("b", 1));
        worker.tell(new Stop());
        probe.expectMessage("a failed");
        probe.expectMessage("b failed");
        probe.expectMessage("stopped");
        Awaitility.await()
                .atMost(Rig.PATIENCE)
                .untilAsserted(() -> assertThat(letters).hasSize(2));
        assertThat(letters).allSatisfy(letter -> {
            assertThat(letter.reason()).isEqualTo(Reason.CANCELLED);
            assertThat(letter.attemptCount()).isEqualTo(1);
            assertThat(letter.history())
                    .singleElement()
                    .satisfies(line -> assertThat(line.errorType()).isEqualTo("IOException"));
        });
        dropped.expectNoMessage(Duration.ZERO);
    }

    @Test
    void a_stop_publishes_held_messages_as_dropped() {
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        ActorRef<String> actor = RIG.kit.spawn(RetryBehavior.of(String.class, Rig.POLICY)
                .named("orderly")
                .inOrder(1)
                .around(Behaviors.receiveMessage(text -> {
                    probe.getRef().tell(text);
                    throw new IOException("always");
                })));
        actor.tell("a");
        actor.tell("b");
        actor.tell("one too many");
        probe.expectMessage("a");
        // The drop shows that "b" has left the mailbox and is held.
        assertThat(dropped.receiveMessage(Rig.PATIENCE).message()).isEqualTo("one too many");
        RIG.kit.stop(actor);
        assertThat(dropped.receiveMessage(Rig.PATIENCE).reason()).isEqualTo("orderly stopped before its retry");
        Dropped held = dropped.receiveMessage(Rig.PATIENCE);
        assertThat(held.message()).isEqualTo("b");
        assertThat(held.reason()).isEqualTo("orderly stopped before its turn");
    }

    @Test
    void a_result_after_the_stop_is_ignored() {
        CompletableFuture<String> late = new CompletableFuture<>();
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        ActorRef<String> actor =
                RIG.kit.spawn(RetryBehavior.of(String.class, Rig.POLICY).around(Behaviors.receiveMessage(text -> {
                    probe.getRef().tell("began");
                    return RetryBehavior.await(late, answer -> {
                        probe.getRef().tell(answer);
                        return Behaviors.same();
                    });
                })));
        actor.tell("a");
        probe.expectMessage("began");
        RIG.kit.stop(actor);
        assertThat(dropped.receiveMessage(Rig.PATIENCE).message()).isEqualTo("a");
        late.complete("too late");
        probe.expectNoMessage(Duration.ZERO);
    }

    @Test
    void the_failure_of_an_unstashed_message_is_left_to_the_supervisor() {
        Behavior<String> stashing = Behaviors.withStash(
                10,
                stash -> Behaviors.receiveMessage(text -> {
                    switch (text) {
                        case "open":
                            probe.getRef().tell("opened");
                            return stash.unstashAll(Behaviors.receiveMessage(late -> {
                                probe.getRef().tell("unstashed " + late);
                                if (late.equals("bad")) {
                                    throw new IOException("always");
                                }
                                return Behaviors.same();
                            }));
                        default:
                            stash.stash(text);
                            return Behaviors.same();
                    }
                }));
        ActorRef<String> actor = RIG.kit.spawn(
                Behaviors.supervise(RetryBehavior.of(String.class, Rig.POLICY).around(stashing))
                        .onFailure(IOException.class, SupervisorStrategy.resume()));
        actor.tell("bad");
        actor.tell("open");
        probe.expectMessage("opened");
        probe.expectMessage("unstashed bad");
        actor.tell("good");
        probe.expectMessage("unstashed good");
        RIG.time.expectNoMessageFor(ofMillis(1_000), probe);
    }

    @Test
    void a_state_that_wraps_its_successor_keeps_waiting_messages() {
        ActorRef<String> actor = RIG.kit.spawn(state(0));
        actor.tell("a");
        probe.expectMessage("0 failed at a");
        actor.tell("next");
        probe.expectMessage("0 next");
        actor.tell("next");
        probe.expectMessage("1 next");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("2 failed at a");
        RIG.kit.stop(actor);
    }

    private Behavior<String> state(int number) {
        return RetryBehavior.of(String.class, Rig.POLICY).around(Behaviors.receiveMessage(text -> {
            if (text.equals("next")) {
                probe.getRef().tell(number + " next");
                return state(number + 1);
            }
            probe.getRef().tell(number + " failed at " + text);
            throw new IOException("always");
        }));
    }

    @Test
    void a_stop_cancels_the_timers_of_pending_messages() {
        try (Rig rig = new Rig()) {
            TestProbe<DeadLetter> undelivered = rig.eventsOf(DeadLetter.class);
            TestProbe<String> heard = rig.probe();
            ActorRef<Command> worker = rig.spawn(rig.retry().around(Worker.reportingTo(heard.getRef())));
            worker.tell(new Work("a", 1));
            heard.expectMessage("a failed");
            rig.doneBy(worker);
            worker.tell(new Stop());
            heard.expectTerminated(worker, Rig.PATIENCE);
            // A timer that was not cancelled would send its message to the stopped actor before the second Stop below.
            rig.time.timePasses(Duration.ofSeconds(20));
            worker.tell(new Stop());
            assertThat(undelivered.receiveMessage(Rig.PATIENCE).message()).isInstanceOf(Stop.class);
        }
    }
}
