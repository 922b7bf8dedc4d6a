package io.redrive.pekko;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.core.RetryExhaustedException;
import io.redrive.core.RetryPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Attempts judged by a result that is ready, or by the result of a stage. */
final class ResultTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.probe();
    private final TestProbe<Throwable> failures = RIG.kit.createTestProbe();
    private final List<RetryContext<String>> retries = new ArrayList<>();
    private final List<RetryContext<String>> exhausted = new ArrayList<>();

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private record ApiResponse(int status) {
        boolean isSuccess() {
            return status < 300;
        }
    }

    private static final RetryPolicy POLICY = Rig.POLICY.toBuilder()
            .retryOnResult(result -> result instanceof ApiResponse response && !response.isSuccess())
            .build();

    private ActorRef<String> spawn(Behavior<String> behavior) {
        TestProbe<ActorRef<String>> started = RIG.kit.createTestProbe();
        RIG.kit.spawn(Behaviors.<Void>setup(ctx -> {
            ActorRef<String> child = ctx.spawn(
                    RetryBehavior.of(String.class, POLICY)
                            .onRetry(retry -> {
                                retries.add(retry);
                                probe.getRef().tell("retrying");
                            })
                            .onRetryExhausted(exhausted::add)
                            .around(behavior),
                    "caller");
            ctx.watch(child);
            started.getRef().tell(child);
            return failedChild(failures);
        }));
        return started.receiveMessage(Rig.PATIENCE);
    }

    private static Behavior<Void> failedChild(TestProbe<Throwable> probe) {
        return Behaviors.receive(Void.class)
                .onSignal(ChildFailed.class, failed -> {
                    probe.getRef().tell(failed.getCause());
                    return Behaviors.stopped();
                })
                .build();
    }

    private Behavior<String> answering(Object... answers) {
        Iterator<Object> next = List.of(answers).iterator();
        return Behaviors.receiveMessage(text -> RetryBehavior.result(next.next(), this::told));
    }

    private Behavior<String> awaiting(List<CompletionStage<ApiResponse>> answers) {
        Iterator<CompletionStage<ApiResponse>> next = answers.iterator();
        return Behaviors.receiveMessage(text -> RetryBehavior.await(next.next(), this::told));
    }

    private Behavior<String> told(Object answer) {
        probe.getRef().tell("got " + answer);
        return Behaviors.same();
    }

    @Test
    void a_result_that_the_policy_does_not_accept_is_retried() {
        ActorRef<String> actor = spawn(answering(new ApiResponse(503), new ApiResponse(429), new ApiResponse(200)));
        actor.tell("call");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(200));
        probe.expectMessage("got ApiResponse[status=200]");
        assertThat(retries)
                .extracting(retry -> retry.failure().message())
                .containsExactly(
                        "result ApiResponse[status=503] was not accepted",
                        "result ApiResponse[status=429] was not accepted");
        assertThat(retries).extracting(RetryContext::error).containsOnlyNulls();
    }

    @Test
    void results_can_run_out_of_attempts() {
        ActorRef<String> actor = spawn(answering(new ApiResponse(503), new ApiResponse(503), new ApiResponse(503)));
        actor.tell("call");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(200));
        assertThat(failures.receiveMessage(Rig.PATIENCE))
                .isInstanceOf(RetryExhaustedException.class)
                .hasNoCause();
        assertThat(exhausted)
                .singleElement()
                .satisfies(end -> assertThat(end.reason()).contains(Reason.MAX_ATTEMPTS_EXCEEDED));
    }

    @Test
    void an_asynchronous_result_is_judged_when_its_stage_completes() {
        CompletableFuture<ApiResponse> first = new CompletableFuture<>();
        CompletableFuture<ApiResponse> second = new CompletableFuture<>();
        CompletableFuture<ApiResponse> third = new CompletableFuture<>();
        ActorRef<String> actor = spawn(awaiting(List.of(first, second, third)));
        actor.tell("call");
        probe.expectNoMessage(ofMillis(20));
        first.complete(new ApiResponse(503));
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        second.completeExceptionally(new CompletionException(new TimeoutException("slow")));
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(200));
        third.complete(new ApiResponse(200));
        probe.expectMessage("got ApiResponse[status=200]");
        assertThat(retries).extracting(retry -> retry.failure().type()).containsExactly("result", "TimeoutException");
    }

    @Test
    void a_failed_stage_is_a_failed_attempt() {
        IOException error = new IOException("down");
        ActorRef<String> actor = spawn(awaiting(List.of(
                CompletableFuture.failedFuture(error),
                CompletableFuture.failedFuture(error),
                CompletableFuture.failedFuture(error))));
        actor.tell("call");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(200));
        assertThat(failures.receiveMessage(Rig.PATIENCE))
                .isInstanceOf(RetryExhaustedException.class)
                .hasCause(error);
    }

    @Test
    void other_messages_flow_while_a_result_is_awaited() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        ActorRef<String> actor = spawn(Behaviors.receiveMessage(
                text -> text.equals("slow") ? RetryBehavior.await(slow, this::told) : told(text)));
        actor.tell("slow");
        for (int i = 0; i < 1_000; i++) {
            actor.tell("other");
        }
        assertThat(probe.receiveSeveralMessages(1_000)).containsOnly("got other");
        slow.complete("answer");
        probe.expectMessage("got answer");
    }

    @Test
    void an_exception_of_the_continuation_is_a_failed_attempt() {
        int[] calls = {0};
        ActorRef<String> actor = spawn(Behaviors.receiveMessage(text ->
                RetryBehavior.await(CompletableFuture.completedFuture("page"), page -> {
                    if (++calls[0] == 1) {
                        throw new IOException("cannot store it");
                    }
                    return told(page);
                })));
        actor.tell("call");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("got page");
    }

    @Test
    void a_continuation_can_await_a_further_result() {
        ActorRef<String> actor = spawn(Behaviors.receiveMessage(text -> RetryBehavior.await(
                CompletableFuture.completedFuture("login"),
                token -> RetryBehavior.await(
                        CompletableFuture.completedFuture(token + " page"),
                        page -> RetryBehavior.result(page + " stored", this::told)))));
        actor.tell("call");
        probe.expectMessage("got login page stored");
    }

    @Test
    void a_continuation_can_return_another_behavior() {
        Behavior<String> after = Behaviors.receiveMessage(text -> told("after: " + text));
        ActorRef<String> actor = spawn(Behaviors.receiveMessage(
                text -> RetryBehavior.await(CompletableFuture.completedFuture("ready"), ready -> {
                    told(ready);
                    return Behaviors.setup(ctx -> after);
                })));
        actor.tell("call");
        probe.expectMessage("got ready");
        actor.tell("again");
        probe.expectMessage("got after: again");
    }

    @Test
    void interceptors_inside_do_not_hide_a_result() {
        TestProbe<String> monitor = RIG.probe();
        ActorRef<String> actor = spawn(Behaviors.monitor(
                String.class, monitor.getRef(), answering(new ApiResponse(503), new ApiResponse(200))));
        actor.tell("call");
        probe.expectMessage("retrying");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("got ApiResponse[status=200]");
        monitor.expectMessage("call");
        monitor.expectMessage("call");
    }

    @Test
    void a_result_of_a_message_that_is_not_retried_is_refused_with_an_explanation() {
        TestProbe<Throwable> seen = RIG.kit.createTestProbe();
        RIG.kit.spawn(Behaviors.<Void>setup(ctx -> {
            Behavior<Object> behavior =
                    Behaviors.receiveMessage(message -> RetryBehavior.result(message, answer -> Behaviors.same()));
            ActorRef<Object> child = ctx.spawn(
                    RetryBehavior.of(Object.class, POLICY).only(String.class).around(behavior), "caller");
            ctx.watch(child);
            child.tell("fine");
            child.tell(42);
            return failedChild(seen);
        }));
        assertThat(seen.receiveMessage(Rig.PATIENCE))
                .hasMessage("results are judged only of messages that are retried, and Integer is not one of them;"
                        + " name it in RetryBehavior.only");
    }

    @Test
    void a_result_without_a_retry_around_it_is_refused_with_an_explanation() {
        TestProbe<Throwable> seen = RIG.kit.createTestProbe();
        RIG.kit.spawn(Behaviors.<Void>setup(ctx -> {
            ActorRef<String> child = ctx.spawn(answering("a", "b"), "bare");
            ctx.watch(child);
            child.tell("call");
            child.tell("call");
            return failedChild(seen);
        }));
        assertThat(seen.receiveMessage(Rig.PATIENCE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("work only inside a behavior with RetryBehavior.around it");
    }
}
