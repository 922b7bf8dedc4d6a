package io.redrive.pekko;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Messages handled in the order of their arrival, with {@link RetryBehavior#inOrder}. */
final class OrderTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.probe();
    private final Set<String> failedBefore = new HashSet<>();

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private RetryBehavior<String> inOrder(int limit) {
        return RetryBehavior.of(
                        String.class,
                        Rig.POLICY.toBuilder()
                                .doNotRetryOn(IllegalStateException.class)
                                .build())
                .named("orderly")
                .inOrder(limit)
                .onRetry(retry -> probe.getRef().tell("retrying " + retry.message()));
    }

    /** Fails once at each message that ends in an exclamation mark. */
    private Behavior<String> onceAt() {
        return Behaviors.receiveMessage(text -> {
            failOnceAt(text);
            return told(text);
        });
    }

    private void failOnceAt(String text) throws IOException {
        if (text.endsWith("!") && failedBefore.add(text)) {
            throw new IOException("not yet");
        }
    }

    private Behavior<String> told(String text) {
        probe.getRef().tell(text);
        return Behaviors.same();
    }

    @Test
    void later_messages_wait_for_the_retry_of_an_earlier_one() {
        ActorRef<String> actor = RIG.kit.spawn(inOrder(2_000).around(onceAt()));
        actor.tell("first!");
        List<String> others =
                IntStream.range(0, 1_000).mapToObj(i -> "message " + i).toList();
        others.forEach(actor::tell);
        probe.expectMessage("retrying first!");
        probe.expectNoMessage(ofMillis(20));
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("first!");
        assertThat(probe.receiveSeveralMessages(1_000)).isEqualTo(others);
    }

    @Test
    void each_failed_message_holds_up_the_messages_behind_it() {
        ActorRef<String> actor = RIG.kit.spawn(inOrder(10).around(onceAt()));
        List.of("a!", "b", "c!", "d", "e!").forEach(actor::tell);
        probe.expectMessage("retrying a!");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("a!");
        probe.expectMessage("b");
        probe.expectMessage("retrying c!");
        actor.tell("f");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("c!");
        probe.expectMessage("d");
        probe.expectMessage("retrying e!");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("e!");
        probe.expectMessage("f");
    }

    @Test
    void messages_beyond_the_hold_limit_are_published_as_dropped() {
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        ActorRef<String> actor = RIG.kit.spawn(inOrder(2).around(onceAt()));
        List.of("a!", "b", "c", "d").forEach(actor::tell);
        probe.expectMessage("retrying a!");
        Dropped event = dropped.receiveMessage(Rig.PATIENCE);
        assertThat(event.message()).isEqualTo("d");
        assertThat(event.reason()).isEqualTo("more than 2 messages wait for the retry of an earlier one in orderly");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("a!");
        probe.expectMessage("b");
        probe.expectMessage("c");
    }

    @Test
    void an_asynchronous_attempt_holds_up_later_messages() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        ActorRef<String> actor = RIG.kit.spawn(inOrder(10).around(Behaviors.receiveMessage(text -> {
            probe.getRef().tell(text + " began");
            return text.equals("a") ? RetryBehavior.await(answer, this::told) : Behaviors.same();
        })));
        actor.tell("a");
        actor.tell("b");
        probe.expectMessage("a began");
        probe.expectNoMessage(ofMillis(20));
        answer.complete("a answered");
        probe.expectMessage("a answered");
        probe.expectMessage("b began");
    }

    @Test
    void a_behavior_that_changes_during_the_release_gets_the_remaining_messages() {
        ActorRef<String> actor = RIG.kit.spawn(inOrder(10).around(counting(0)));
        List.of("a!", "b", "c", "d!", "e").forEach(actor::tell);
        probe.expectMessage("retrying a!");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("0 a!");
        probe.expectMessage("1 b");
        probe.expectMessage("2 c");
        probe.expectMessage("retrying d!");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("3 d!");
        probe.expectMessage("4 e");
    }

    @Test
    void a_failure_during_the_release_keeps_earlier_changes_of_the_behavior() {
        ActorRef<String> actor = RIG.kit.spawn(
                Behaviors.supervise(inOrder(10).around(counting(0))).onFailure(SupervisorStrategy.resume()));
        List.of("a!", "b", "fatal", "c").forEach(actor::tell);
        probe.expectMessage("retrying a!");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("0 a!");
        probe.expectMessage("1 b");
        // The count goes on at 2: the failure did not undo "b".
        probe.expectMessage("2 c");
    }

    @Test
    void a_stop_during_the_release_drops_the_remaining_messages() {
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        ActorRef<String> actor = RIG.kit.spawn(inOrder(10).around(counting(0)));
        List.of("a!", "b", "stop", "c").forEach(actor::tell);
        probe.expectMessage("retrying a!");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("0 a!");
        probe.expectMessage("1 b");
        assertThat(dropped.receiveMessage(Rig.PATIENCE).message()).isEqualTo("c");
    }

    @Test
    void a_held_message_without_a_handler_is_published_as_unhandled() {
        TestProbe<UnhandledMessage> unhandled = RIG.eventsOf(UnhandledMessage.class);
        ActorRef<String> actor = RIG.kit.spawn(inOrder(10).around(counting(0)));
        List.of("a!", "strange", "b").forEach(actor::tell);
        probe.expectMessage("retrying a!");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("0 a!");
        probe.expectMessage("1 b");
        assertThat(unhandled.receiveMessage(Rig.PATIENCE).message()).isEqualTo("strange");
    }

    @Test
    void messages_of_types_that_are_not_retried_overtake_held_messages() {
        ActorRef<Worker.Command> worker = RIG.spawn(RIG.retry()
                .only(Worker.Work.class)
                .inOrder(10)
                .onRetry(retry -> probe.getRef().tell("retrying"))
                .around(Worker.reportingTo(probe.getRef())));
        worker.tell(new Worker.Work("a", 1));
        worker.tell(new Worker.Work("b", 0));
        probe.expectMessage("a failed");
        probe.expectMessage("retrying");
        assertThat(RIG.doneBy(worker)).isEmpty();
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("a done");
        probe.expectMessage("b done");
    }

    /** A new behavior after each message. */
    private Behavior<String> counting(int count) {
        return Behaviors.receiveMessage(text -> {
            switch (text) {
                case "stop":
                    return Behaviors.stopped();
                case "strange":
                    return Behaviors.unhandled();
                case "fatal":
                    throw new IllegalStateException("not worth a retry");
                default:
                    failOnceAt(text);
                    told(count + " " + text);
                    return counting(count + 1);
            }
        });
    }
}
