package io.redrive.spring.actors;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.pekko.RetryContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The examples of the requirements for actors, in order. {@code RetryConfig} of the requirements is {@code RetryPolicy};
 * callbacks with access to the actor are set beside the policy, because a policy is a value without any actor.
 */
final class RequirementExamplesTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.kit.createTestProbe(String.class);

    @AfterAll
    static void stop() {
        RIG.close();
    }

    // ---- 1. Retry configuration ----

    static final class TransientException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static final class ServiceException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final boolean retryable;

        ServiceException(boolean retryable) {
            this.retryable = retryable;
        }

        boolean isRetryable() {
            return retryable;
        }
    }

    sealed interface Command {}

    record ProcessRequest(List<Exception> failures) implements Command {}

    static final class ResilientActor implements SpringActor<Command> {

        private final ActorRef<String> probe;

        ResilientActor(ActorRef<String> probe) {
            this.probe = probe;
        }

        @Override
        public SpringActorBehavior<Command> create(SpringActorContext ctx) {
            return SpringActorBehavior.builder(Command.class, ctx)
                    .withRetry(
                            RetryPolicy.builder()
                                    .maxAttempts(3)
                                    .backoff(Backoff.exponential(
                                            Duration.ofMillis(100), // initial delay
                                            Duration.ofSeconds(10), // max delay
                                            2.0 // multiplier
                                            ))
                                    .jitter(0.2) // 20% randomization
                                    .retryOn(TimeoutException.class, TransientException.class)
                                    .retryIf(ex -> ex instanceof ServiceException service && service.isRetryable())
                                    .build(),
                            retry -> retry.onRetry(again -> probe.tell("retry")).onRetryExhausted(exhausted -> {
                                exhausted
                                        .log()
                                        .error(
                                                "Retry exhausted for message: {}",
                                                exhausted.message(),
                                                exhausted.error());
                                probe.tell("exhausted");
                            }))
                    .onMessage(ProcessRequest.class, this::handleRequest)
                    .build();
        }

        private Behavior<Command> handleRequest(ActorContext<Command> context, ProcessRequest request)
                throws Exception {
            if (!request.failures().isEmpty()) {
                probe.tell("failed");
                throw request.failures().remove(0);
            }
            probe.tell("processed");
            return Behaviors.same();
        }
    }

    @Test
    void the_resilient_actor_retries_only_the_configured_exceptions() {
        RIG.contextsHere()
                .withBean(ResilientActor.class, () -> new ResilientActor(probe.getRef()))
                .run(context -> {
                    SpringActorSystem actors = context.getBean(SpringActorSystem.class);
                    actors.actor(ResilientActor.class, "a")
                            .tell(new ProcessRequest(
                                    new ArrayList<>(List.of(new TimeoutException(), new ServiceException(true)))));
                    failsAndWaits(ofMillis(120));
                    failsAndWaits(ofMillis(240));
                    probe.expectMessage("processed");
                    ActorRef<Command> other =
                            Rig.get(actors.actor(ResilientActor.class, "b").ref());
                    other.tell(new ProcessRequest(new ArrayList<>(List.of(new ServiceException(false)))));
                    probe.expectMessage("failed");
                    probe.expectTerminated(other);
                    actors.actor(ResilientActor.class, "c")
                            .tell(new ProcessRequest(new ArrayList<>(List.of(
                                    new TransientException(), new TransientException(), new TransientException()))));
                    failsAndWaits(ofMillis(120));
                    failsAndWaits(ofMillis(240));
                    probe.expectMessage("failed");
                    probe.expectMessage("exhausted");
                });
    }

    private void failsAndWaits(Duration atMost) {
        probe.expectMessage("failed");
        probe.expectMessage("retry");
        RIG.time.timePasses(atMost);
    }

    // ---- 2. Backoff strategies ----

    @Test
    void backoff_strategies() {
        // Exponential backoff
        Backoff exponential = Backoff.exponential(
                Duration.ofMillis(100), // initial
                Duration.ofSeconds(10), // max
                2.0 // multiplier
                );
        // Fixed delay
        Backoff fixed = Backoff.fixed(Duration.ofSeconds(1));
        // Linear backoff
        Backoff linear = Backoff.linear(
                Duration.ofMillis(100), // initial
                Duration.ofMillis(500), // increment
                Duration.ofSeconds(10) // max
                );
        // Custom backoff
        Backoff custom = Backoff.custom(attempt -> Duration.ofMillis(100L * attempt));

        assertThat(firstThree(exponential)).containsExactly(ofMillis(100), ofMillis(200), ofMillis(400));
        assertThat(exponential.delay(8)).isEqualTo(ofSeconds(10));
        assertThat(firstThree(fixed)).containsExactly(ofSeconds(1), ofSeconds(1), ofSeconds(1));
        assertThat(firstThree(linear)).containsExactly(ofMillis(100), ofMillis(600), ofMillis(1_100));
        assertThat(linear.delay(30)).isEqualTo(ofSeconds(10));
        assertThat(firstThree(custom)).containsExactly(ofMillis(100), ofMillis(200), ofMillis(300));
    }

    private static List<Duration> firstThree(Backoff backoff) {
        return List.of(backoff.delay(1), backoff.delay(2), backoff.delay(3));
    }

    // ---- 3. Jitter ----

    @Test
    void jitter_never_leaves_its_range() {
        RetryPolicy none = fixedSecond(Jitter.factor(0));
        RetryPolicy fifth = fixedSecond(Jitter.factor(0.2));
        Random random = new Random(42);
        for (int i = 0; i < 1_000; i++) {
            assertThat(delay(none, random)).isEqualTo(ofSeconds(1));
            assertThat(delay(fifth, random)).isBetween(ofMillis(800), ofMillis(1_200));
        }
    }

    private static RetryPolicy fixedSecond(Jitter jitter) {
        return RetryPolicy.builder()
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .jitter(jitter)
                .build();
    }

    private static Duration delay(RetryPolicy policy, Random random) {
        Decision decision =
                policy.decide(new Attempt(1, Failure.kind("timeout"), Duration.ZERO, Duration.ZERO, random));
        return ((Decision.RetryAfter) decision).delay();
    }

    // ---- 4. Retry conditions ----

    static final class ValidationException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static final class HttpException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int statusCode;

        HttpException(int statusCode) {
            this.statusCode = statusCode;
        }

        int getStatusCode() {
            return statusCode;
        }
    }

    record ApiResponse(boolean isSuccess) {}

    @Test
    void retry_conditions() {
        RetryPolicy policy = RetryPolicy.builder()
                // Retry on specific exception types
                .retryOn(TimeoutException.class, IOException.class)

                // Don't retry on specific exceptions
                .doNotRetryOn(IllegalArgumentException.class, ValidationException.class)

                // Custom retry predicate
                .retryIf(ex -> {
                    if (ex instanceof HttpException http) {
                        int status = http.getStatusCode();
                        return status >= 500 || status == 429; // Retry 5xx and rate limit
                    }
                    return false;
                })

                // Retry based on result
                .retryOnResult(result -> {
                    if (result instanceof ApiResponse response) {
                        return !response.isSuccess();
                    }
                    return false;
                })
                .build();

        assertThat(List.of(new TimeoutException(), new IOException(), new HttpException(503), new HttpException(429)))
                .allSatisfy(error -> assertThat(retries(policy, error)).isTrue());
        assertThat(List.of(
                        new IllegalArgumentException(),
                        new ValidationException(),
                        new HttpException(404),
                        new IllegalStateException()))
                .allSatisfy(error -> assertThat(retries(policy, error)).isFalse());
        assertThat(policy.retriesResult(new ApiResponse(false))).isTrue();
        assertThat(policy.retriesResult(new ApiResponse(true))).isFalse();
        assertThat(policy.retriesResult("text")).isFalse();
    }

    private static boolean retries(RetryPolicy policy, Exception error) {
        Attempt first = new Attempt(1, Failure.thrown(error), Duration.ZERO, Duration.ZERO, new SplittableRandom(1));
        return policy.decide(first) instanceof Decision.RetryAfter;
    }

    // ---- The structure of a configuration, and its defaults ----

    @Test
    void the_defaults_equal_those_of_the_requirements() {
        RetryPolicy policy = RetryPolicy.builder().build();
        assertThat(policy.maxAttempts()).isEqualTo(3);
        assertThat(policy.backoff())
                .isEqualTo(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0));
        assertThat(policy.jitter()).isEqualTo(Jitter.factor(0.1));
    }

    // ---- Example usage: basic retry ----

    interface ExternalApiClient {
        String call(String request) throws IOException;
    }

    record CallApi(String request, ActorRef<String> replyTo) {
        void reply(String response) {
            replyTo.tell(response);
        }
    }

    static final class ApiActor implements SpringActor<CallApi> {

        private final ExternalApiClient apiClient;

        ApiActor(ExternalApiClient apiClient) {
            this.apiClient = apiClient;
        }

        @Override
        public SpringActorBehavior<CallApi> create(SpringActorContext ctx) {
            return SpringActorBehavior.builder(CallApi.class, ctx)
                    .withRetry(RetryPolicy.builder()
                            .maxAttempts(5)
                            .backoff(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30), 2.0))
                            .jitter(0.3)
                            .retryOn(TimeoutException.class, IOException.class)
                            .onRetry(retry -> RETRIES.add(retry.delay()))
                            .build())
                    .onMessage(CallApi.class, (context, msg) -> {
                        String response = apiClient.call(msg.request());
                        msg.reply(response);
                        return Behaviors.same();
                    })
                    .build();
        }
    }

    private static final List<Duration> RETRIES = new CopyOnWriteArrayList<>();

    @Test
    void the_api_actor_answers_after_retries() {
        List<String> calls = new CopyOnWriteArrayList<>();
        ExternalApiClient client = request -> {
            calls.add(request);
            if (calls.size() < 3) {
                throw new IOException("no answer");
            }
            return "answer to " + request;
        };
        RIG.contextsHere()
                .withBean(ExternalApiClient.class, () -> client)
                .withBean(ApiActor.class)
                .run(context -> {
                    context.getBean(SpringActorSystem.class)
                            .actor(ApiActor.class, "api")
                            .tell(new CallApi("question", probe.getRef()));
                    for (int retry = 1; retry <= 2; retry++) {
                        int sofar = retry;
                        Awaitility.await().atMost(Rig.PATIENCE).until(() -> RETRIES.size() == sofar);
                        RIG.time.timePasses(ofSeconds(1));
                    }
                    probe.expectMessage("answer to question");
                });
        assertThat(RETRIES.get(0)).isBetween(ofMillis(140), ofMillis(260));
        assertThat(RETRIES.get(1)).isBetween(ofMillis(280), ofMillis(520));
    }

    // ---- Example usage: with callbacks ----

    @Test
    void callbacks_know_the_actor_the_message_and_the_attempt() {
        List<RetryContext<String>> told = new CopyOnWriteArrayList<>();
        ActorRef<String> actor =
                RIG.kit.spawn(SpringActorBehavior.builder(String.class, SpringActorContext.standalone("callbacks"))
                        .withRetry(
                                RetryPolicy.builder().maxAttempts(3).jitter(0).build(),
                                retry -> retry.onRetry(context -> {
                                            context.log()
                                                    .warn(
                                                            "Retry attempt {} after {}ms: {}",
                                                            context.attempt(),
                                                            context.delay().toMillis(),
                                                            context.error().getMessage());
                                            told.add(context);
                                            probe.getRef().tell("retry");
                                        })
                                        .onRetryExhausted(context -> {
                                            context.log()
                                                    .error(
                                                            "All retry attempts failed for message: {}",
                                                            context.message(),
                                                            context.error());
                                            // Send to dead letter or alternative handling
                                            told.add(context);
                                            probe.getRef().tell("exhausted");
                                        }))
                        .onMessage(String.class, (context, msg) -> {
                            throw new IOException("no answer to " + msg);
                        })
                        .build()
                        .behavior());
        actor.tell("hello");
        probe.expectMessage("retry");
        RIG.time.timePasses(ofMillis(100));
        probe.expectMessage("retry");
        RIG.time.timePasses(ofMillis(200));
        probe.expectMessage("exhausted");
        assertThat(told).extracting(RetryContext::attempt).containsExactly(1, 2, 3);
        assertThat(told).extracting(RetryContext::message).containsOnly("hello");
        assertThat(told).extracting(RetryContext::delay).containsExactly(ofMillis(100), ofMillis(200), Duration.ZERO);
        assertThat(told).allSatisfy(context -> assertThat(context.error()).hasMessage("no answer to hello"));
    }
}
