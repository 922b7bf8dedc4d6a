package io.redrive.spring.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import io.redrive.pekko.RetryBehavior;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Behaviors built without an application. */
final class SpringActorBehaviorTest {

    private static final Rig RIG = new Rig();
    private static final SpringActorContext CTX = SpringActorContext.standalone("one");

    private final List<String> seen = new ArrayList<>();
    private final TestProbe<String> probe = RIG.kit.createTestProbe(String.class);

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private SpringActorBehavior.Builder<Object> handlers() {
        return SpringActorBehavior.builder(Object.class, CTX)
                .onMessage(String.class, (context, text) -> {
                    seen.add(context.getSelf().path().name() + " " + text);
                    return Behaviors.same();
                })
                .onMessage(Exception.class, (context, error) -> {
                    throw error;
                })
                .onSignal(PostStop.class, (context, signal) -> {
                    seen.add("stopped");
                    return Behaviors.same();
                });
    }

    /** The same by hand. */
    private Behavior<Object> byHand() {
        return Behaviors.setup(context -> Behaviors.receive(Object.class)
                .onMessage(String.class, text -> {
                    seen.add(context.getSelf().path().name() + " " + text);
                    return Behaviors.same();
                })
                .onMessage(Exception.class, error -> {
                    throw error;
                })
                .onSignal(PostStop.class, signal -> {
                    seen.add("stopped");
                    return Behaviors.same();
                })
                .build());
    }

    @Test
    void without_retry_and_breaker_the_behavior_is_that_of_pekkos_builder() {
        BehaviorTestKit<Object> built =
                BehaviorTestKit.create(handlers().build().behavior(), "same");
        List<String> ofBuilt = runThrough(built);
        BehaviorTestKit<Object> byHand = BehaviorTestKit.create(byHand(), "same");
        assertThat(BehaviorTestKit.create(handlers().build().behavior()).currentBehavior())
                .hasSameClassAs(BehaviorTestKit.create(byHand()).currentBehavior());
        assertThat(runThrough(byHand))
                .isEqualTo(ofBuilt)
                .containsExactly("same a", "unhandled", "stopped", "no answer");
        assertThat(built.isAlive()).isEqualTo(byHand.isAlive());
    }

    private List<String> runThrough(BehaviorTestKit<Object> kit) {
        seen.clear();
        kit.run("a");
        kit.run(17);
        seen.add(Behavior.isUnhandled(kit.returnedBehavior()) ? "unhandled" : "handled");
        assertThatThrownBy(() -> kit.run(new IOException("no answer"))).satisfies(e -> seen.add(e.getMessage()));
        return List.copyOf(seen);
    }

    @Test
    void of_returns_a_given_behavior_unchanged() {
        Behavior<Object> mine = byHand();
        assertThat(SpringActorBehavior.of(mine).behavior()).isSameAs(mine);
        assertThat(SpringActorBehavior.builder(Object.class, CTX).around(mine).behavior())
                .isSameAs(mine);
    }

    @Test
    void around_adds_retries_to_a_given_behavior() {
        Behavior<Object> behavior = SpringActorBehavior.builder(Object.class, CTX)
                .withRetry(
                        CallerActor.POLICY,
                        retry -> retry.onRetry(context -> probe.getRef().tell("attempt " + context.attempt())))
                .around(byHand())
                .behavior();
        ActorRef<Object> actor = RIG.kit.spawn(behavior);
        actor.tell(new IOException("no answer"));
        probe.expectMessage("attempt 1");
        RIG.time.timePasses(Duration.ofMillis(100));
        probe.expectMessage("attempt 2");
    }

    @Test
    void results_can_be_judged_in_handlers() {
        RetryPolicy policy = CallerActor.POLICY.toBuilder()
                .retryOnResult("busy"::equals)
                .onRetry(retry -> probe.getRef().tell("retry"))
                .build();
        List<String> answers = new ArrayList<>(List.of("busy", "fine"));
        ActorRef<String> actor = RIG.kit.spawn(SpringActorBehavior.builder(String.class, CTX)
                .withRetry(policy)
                .onMessage(
                        String.class,
                        (context, text) -> RetryBehavior.result(answers.remove(0), answer -> {
                            probe.getRef().tell(answer);
                            return Behaviors.same();
                        }))
                .build()
                .behavior());
        actor.tell("call");
        probe.expectMessage("retry");
        RIG.time.timePasses(Duration.ofMillis(100));
        probe.expectMessage("fine");
    }

    @Test
    void a_handler_can_read_the_number_of_its_attempt() {
        RetryPolicy atOnce =
                CallerActor.POLICY.toBuilder().backoff(Backoff.none()).build();
        ActorRef<String> retried =
                RIG.kit.spawn(attemptTelling().withRetry(atOnce).build().behavior());
        retried.tell("a");
        probe.expectMessage("a 1/3");
        probe.expectMessage("a 2/3");
        probe.expectMessage("a 3/3 last");
        RIG.kit.spawn(attemptTelling().build().behavior()).tell("b");
        probe.expectMessage("b 1/1 last");
    }

    private SpringActorBehavior.Builder<String> attemptTelling() {
        return SpringActorBehavior.builder(String.class, CTX).onMessage(String.class, (context, text, attempt) -> {
            probe.getRef()
                    .tell(text + " " + attempt.number() + "/" + attempt.maxAttempts()
                            + (attempt.isLast() ? " last" : ""));
            throw new IOException("no answer");
        });
    }

    @Test
    void a_breaker_alone_does_not_retry() {
        CircuitBreaker breaker = CircuitBreaker.builder("api").failureCount(1).build();
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        ActorRef<Object> actor = RIG.kit.spawn(Behaviors.supervise(
                        handlers().withCircuitBreaker(breaker).build().behavior())
                .onFailure(SupervisorStrategy.resume()));
        actor.tell(new IOException("no answer"));
        actor.tell("refused");
        assertThat(dropped.receiveMessage().message()).isEqualTo("refused");
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
        assertThat(seen).isEmpty();
    }

    @Test
    void a_function_can_answer_refused_messages() {
        CircuitBreaker breaker = CircuitBreaker.builder("api").failureCount(1).build();
        ActorRef<Object> actor = RIG.kit.spawn(Behaviors.supervise(handlers()
                        .withRetry(RetryPolicy.noRetry())
                        .withCircuitBreaker(breaker, refused -> {
                            probe.getRef().tell(refused.message() + " refused");
                            return Behaviors.same();
                        })
                        .build()
                        .behavior())
                .onFailure(SupervisorStrategy.resume()));
        actor.tell(new IOException("no answer"));
        actor.tell("a");
        probe.expectMessage("a refused");
    }

    @Test
    void a_standalone_context_knows_only_presets() {
        assertThat(CTX.policy("actor")).isEqualTo(Presets.ACTOR);
        assertThat(SpringActorContext.standalone("one", Map.of("mine", CallerActor.POLICY))
                        .policy("mine"))
                .isSameAs(CallerActor.POLICY);
        assertThat(CTX).hasToString("standalone 'one'");
        assertThatThrownBy(() -> handlers().withRetry("mine")).hasMessageContaining("mine");
        assertThatThrownBy(() -> handlers().withCircuitBreaker("bank"))
                .hasMessage("no breaker 'bank': a context without an application has none; pass one to the builder");
        assertThatThrownBy(() -> CTX.budget("bank")).hasMessageStartingWith("no budget 'bank'");
    }

    @Test
    void an_actor_without_handlers_is_refused() {
        assertThatThrownBy(() -> SpringActorBehavior.builder(Object.class, CTX)
                        .withRetry("actor")
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("standalone 'one' has no handlers; add one with onMessage, or end with around");
    }

    @Test
    void an_actor_logs_as_its_own_class() {
        Behavior<String> plain = RetryBehavior.of(String.class, CallerActor.POLICY)
                .onRetry(retry -> probe.getRef().tell(retry.log().getName()))
                .around(Behaviors.receiveMessage(text -> {
                    throw new IOException("no answer");
                }));
        RIG.kit.spawn(plain).tell("a");
        probe.expectMessage("java.lang.String");
        RIG.kit
                .spawn(Behaviors.<String>setup(context -> {
                    context.setLoggerName("chosen");
                    return plain;
                }))
                .tell("a");
        probe.expectMessage("chosen");
        RIG.contextsHere()
                .withBean(
                        CallerActor.Service.class,
                        () -> new CallerActor.Service(RIG.kit.system().ignoreRef()))
                .withBean(
                        CallerActor.Settings.class,
                        () -> CallerActor.Settings.usual()
                                .with(retry -> retry.onRetry(context ->
                                        probe.getRef().tell(context.log().getName()))))
                .withBean(CallerActor.class)
                .run(context -> {
                    context.getBean(SpringActorSystem.class)
                            .actor(CallerActor.class, "eu")
                            .tell(new CallerActor.Call("a", 1));
                    probe.expectMessage(CallerActor.class.getName());
                });
    }
}
