package io.redrive.examples.actors;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AbandonedEvent;
import io.redrive.pekko.ActorFamily;
import io.redrive.pekko.RetryBehavior;
import io.redrive.spring.actors.SpringActorBehavior;
import io.redrive.spring.actors.SpringActorContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The snippets of actors.md that are not part of the application. */
final class ActorGuideTest {

    /** Long enough for a loaded machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
    private static final ManualTime TIME = ManualTime.get(KIT.system());

    private final TestProbe<String> probe = KIT.createTestProbe(String.class);
    private final Deque<Object> responses = new ArrayDeque<>();
    private final Api api = new Api();

    record Call(String request, ActorRef<String> replyTo) {}

    /** Answers with the next element of {@link #responses}. */
    private final class Api {
        String call(String request) throws IOException {
            Object next = responses.poll();
            if (next instanceof IOException down) {
                throw down;
            }
            return next + " to " + request;
        }

        CompletionStage<String> callAsync(String request) {
            try {
                return CompletableFuture.completedFuture(call(request));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    @BeforeEach
    void nothingToAnswer() {
        responses.clear();
    }

    private void expect(String message) {
        assertThat(probe.receiveMessage(PATIENCE)).isEqualTo(message);
    }

    private Behavior<Call> plain() {
        // snippet: plain-actor
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(3)
                .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0))
                .jitter(0.2)
                .retryOn(IOException.class)
                .build();

        Behavior<Call> resilient = RetryBehavior.of(Call.class, policy)
                .named("api")
                .onRetry(failed -> probe.getRef().tell("attempt " + failed.attempt() + " failed"))
                .around(Behaviors.receiveMessage(call -> {
                    call.replyTo().tell(api.call(call.request()));
                    return Behaviors.same();
                }));
        // end
        return resilient;
    }

    // snippet: actor-manual-time
    @Test
    void the_second_attempt_comes_after_about_100_ms() {
        responses.addAll(List.of(new IOException("down"), "hello"));
        ActorRef<Call> actor = KIT.spawn(plain());
        actor.tell(new Call("world", probe.getRef()));

        expect("attempt 1 failed"); // the timer of the retry is set
        TIME.expectNoMessageFor(Duration.ofMillis(79), probe);
        TIME.timePasses(Duration.ofMillis(41));
        expect("hello to world");
    }
    // end

    @Test
    void settings_of_a_retry() {
        Queue<AbandonedEvent<Call>> letters = new ConcurrentLinkedQueue<>();
        SpringActorContext ctx = SpringActorContext.standalone("a");
        CircuitBreaker breaker = CircuitBreaker.builder("api").failureCount(1).build();
        Behavior<Call> behavior =
                // snippet: actor-settings
                SpringActorBehavior.builder(Call.class, ctx)
                        .withRetry(
                                "actor",
                                retry -> retry.inOrder(1_000)
                                        .deadLetters(letters::add, Call::request)
                                        .onRetryExhausted(failed ->
                                                failed.message().replyTo().tell("sorry")))
                        .withCircuitBreaker(breaker, refused -> {
                            refused.message().replyTo().tell("come back later");
                            return Behaviors.same();
                        })
                        .onMessage(Call.class, (context, call) -> {
                            call.replyTo().tell(api.call(call.request()));
                            return Behaviors.same();
                        })
                        .build()
                        // end
                        .behavior();
        for (int i = 0; i < 3; i++) {
            responses.add(new IOException("down"));
        }
        ActorRef<Call> actor = KIT.spawn(Behaviors.supervise(behavior).onFailure(SupervisorStrategy.resume()));
        actor.tell(new Call("first", probe.getRef()));
        Awaitility.await().atMost(PATIENCE).until(() -> {
            TIME.timePasses(Duration.ofMillis(250));
            return !letters.isEmpty();
        });
        expect("sorry");
        actor.tell(new Call("second", probe.getRef()));
        expect("come back later");
        AbandonedEvent<Call> letter = letters.remove();
        assertThat(letter.idempotencyKey()).isEqualTo("first");
        assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
        assertThat(letter.history()).hasSize(3);
    }

    @Test
    void results_are_judged() {
        Behavior<Call> behavior =
                // snippet: actor-results
                RetryBehavior.of(
                                Call.class,
                                RetryPolicy.builder()
                                        .backoff(Backoff.none())
                                        .retryOnResult(
                                                answer -> answer.toString().startsWith("busy"))
                                        .build())
                        .around(Behaviors.receiveMessage(
                                call -> RetryBehavior.await(api.callAsync(call.request()), answer -> {
                                    call.replyTo().tell(answer); // runs in the actor, if the policy accepts
                                    return Behaviors.same();
                                })));
        // end
        responses.addAll(List.of("busy", new IOException("down"), "hello"));
        KIT.spawn(behavior).tell(new Call("world", probe.getRef()));
        expect("hello to world");
    }

    @Test
    void actors_by_id() throws Exception {
        responses.addAll(List.of("hello", "hello"));
        // snippet: actor-family
        ActorFamily<Call> callers = ActorFamily.start(
                KIT.system(),
                "callers",
                id -> RetryBehavior.of(Call.class, Presets.ACTOR).around(caller(id)));

        callers.tell("eu", new Call("world", probe.getRef()));
        CompletionStage<String> answer = callers.ask("us", replyTo -> new Call("moon", replyTo), Duration.ofSeconds(3));
        // end
        expect("hello to world from eu");
        assertThat(answer.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo("hello to moon from us");
    }

    private Behavior<Call> caller(String id) {
        return Behaviors.receiveMessage(call -> {
            String answer;
            synchronized (responses) {
                answer = api.call(call.request());
            }
            call.replyTo().tell(answer + " from " + id);
            return Behaviors.same();
        });
    }
}
