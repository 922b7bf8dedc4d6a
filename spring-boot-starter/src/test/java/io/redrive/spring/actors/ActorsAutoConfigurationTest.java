package io.redrive.spring.actors;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redrive.core.RetryListener;
import io.redrive.pekko.RetryBehavior;
import io.redrive.spring.ActorsProperties;
import io.redrive.spring.RedriveSettings;
import io.redrive.spring.actors.CallerActor.Call;
import io.redrive.spring.actors.CallerActor.Command;
import io.redrive.spring.actors.CallerActor.GetDone;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.env.MapPropertySource;

/** The auto-configured actor system, and its settings. */
final class ActorsAutoConfigurationTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.kit.createTestProbe(String.class);

    @AfterAll
    static void stop() {
        RIG.close();
    }

    @Test
    void an_actor_system_lives_as_long_as_the_context() {
        ActorSystem<?>[] seen = {null};
        Rig.contexts().run(context -> {
            seen[0] = context.getBean(ActorSystem.class);
            assertThat(seen[0].name()).isEqualTo("orders");
            assertThat(context.getBean(SpringActorSystem.class).system()).isSameAs(seen[0]);
            assertThat(context.getBean(ActorsLifecycle.class).isRunning()).isTrue();
            assertThat(seen[0].getWhenTerminated().toCompletableFuture()).isNotDone();
        });
        assertThat(seen[0].getWhenTerminated().toCompletableFuture()).isCompleted();
    }

    @Test
    void settings_of_pekko_can_be_given_to_spring() {
        Rig.contexts()
                .withPropertyValues(
                        "pekko.actor.default-dispatcher.throughput=7",
                        "pekko.test.hosts[0]=a",
                        "pekko.test.hosts[1]=b",
                        "pekko.actor.serialization-bindings.[com.example.Message]=none",
                        "redrive.actors.system-name=other")
                .run(context -> {
                    Config config =
                            context.getBean(ActorSystem.class).settings().config();
                    assertThat(config.getInt("pekko.actor.default-dispatcher.throughput"))
                            .isEqualTo(7);
                    assertThat(config.getStringList("pekko.test.hosts")).containsExactly("a", "b");
                    assertThat(config.getConfig("pekko.actor.serialization-bindings")
                                    .root()
                                    .unwrapped())
                            .containsEntry("com.example.Message", "none");
                    assertThat(config.getBoolean("pekko.coordinated-shutdown.run-by-jvm-shutdown-hook"))
                            .isFalse();
                    assertThat(context.getBean(ActorSystem.class).name()).isEqualTo("other");
                });
    }

    @Test
    void an_application_name_is_turned_into_a_valid_name_of_an_actor_system() {
        assertThat(nameFor("my orders (eu)")).isEqualTo("my-orders--eu-");
        assertThat(nameFor("_orders")).isEqualTo("orders");
        assertThat(nameFor("")).isEqualTo("redrive");
        assertThat(nameFor("--")).isEqualTo("redrive");
    }

    private static String nameFor(String application) {
        return new ActorsProperties(true, null, Rig.PATIENCE, Rig.PATIENCE).systemNameFor(application);
    }

    @Test
    void an_actor_system_of_the_application_is_used_and_not_terminated() {
        RIG.contextsHere().run(context -> {
            assertThat(context).hasSingleBean(ActorSystem.class);
            assertThat(context.getBean(SpringActorSystem.class).system()).isSameAs(RIG.kit.system());
        });
        assertThat(RIG.kit.system().getWhenTerminated().toCompletableFuture()).isNotDone();
    }

    @Test
    void actors_can_be_switched_off_and_need_the_pekko_library() {
        for (String off : List.of("redrive.actors.enabled=false", "redrive.enabled=false")) {
            Rig.contexts()
                    .withPropertyValues(off)
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ActorSystem.class));
        }
        for (Class<?> missing : List.of(ActorSystem.class, RetryBehavior.class)) {
            Rig.contexts()
                    .withClassLoader(new FilteredClassLoader(missing))
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("redriveActors"));
        }
    }

    /** An actor whose policy, breaker and budget come from the settings. */
    static final class NamedActor implements SpringActor<Command> {
        private final CallerActor.Service service;

        NamedActor(CallerActor.Service service) {
            this.service = service;
        }

        @Override
        public SpringActorBehavior<Command> create(SpringActorContext ctx) {
            return SpringActorBehavior.builder(Command.class, ctx)
                    .withRetry("api", retry -> retry.withBudget(ctx.budget("bank")))
                    .withCircuitBreaker("bank")
                    .onMessage(Call.class, (context, call) -> {
                        service.call(ctx.id(), call);
                        return Behaviors.same();
                    })
                    .onMessage(GetDone.class, (context, get) -> {
                        get.replyTo().tell(List.of());
                        return Behaviors.same();
                    })
                    .build();
        }
    }

    @Test
    void policy_breaker_and_budget_come_from_the_settings_and_metrics_and_listeners_hear_of_messages() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        List<String> heard = new CopyOnWriteArrayList<>();
        RIG.contextsHere()
                .withBean(MeterRegistry.class, () -> registry)
                .withBean("mine", RetryListener.class, () -> new RetryListener() {
                    @Override
                    public void onRetry(Retrying event) {
                        heard.add(event.name() + " " + event.attempt() + "/" + event.maxAttempts());
                    }
                })
                .withBean(CallerActor.Service.class, () -> new CallerActor.Service(probe.getRef()))
                .withBean(NamedActor.class)
                .withPropertyValues(
                        "redrive.policies.api.max-attempts=2",
                        "redrive.policies.api.backoff=fixed",
                        "redrive.policies.api.initial-delay=50ms",
                        "redrive.policies.api.jitter=none",
                        "redrive.breakers.bank.failure-count=50",
                        "redrive.budgets.bank.reserve=100")
                .run(context -> {
                    SpringActorRef<Command> named =
                            context.getBean(SpringActorSystem.class).actor(NamedActor.class, "one");
                    named.tell(new Call("recovers", 1));
                    probe.expectMessage("recovers failed");
                    Rig.get(named.ask(GetDone::new));
                    RIG.time.timePasses(Duration.ofMillis(50));
                    probe.expectMessage("recovers done");
                    // The reference is read before the stop, because reading it later would create another actor.
                    ActorRef<Command> ref = Rig.get(named.ref());
                    named.tell(new Call("ends", 2));
                    probe.expectMessage("ends failed");
                    Rig.get(named.ask(GetDone::new));
                    RIG.time.timePasses(Duration.ofMillis(50));
                    probe.expectMessage("ends failed");
                    probe.expectTerminated(ref);
                });
        assertThat(heard).containsExactly("NamedActor 1/2", "NamedActor 1/2");
        assertThat(registry.get("actor.retry.attempts")
                        .tags("actor", "NamedActor", "attempt_number", "1")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("actor.retry.success")
                        .tags("actor", "NamedActor", "attempts_used", "2")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("actor.retry.exhausted")
                        .tags("actor", "NamedActor")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("actor.retry.delay").timer().count()).isEqualTo(2);
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .doesNotContain("retry.calls");
    }

    @Test
    void a_changed_policy_holds_for_living_actors() {
        RIG.contextsHere()
                .withBean(CallerActor.Service.class, () -> new CallerActor.Service(probe.getRef()))
                .withBean(FollowingActor.class)
                .withPropertyValues("redrive.policies.changing.max-attempts=1")
                .run(context -> {
                    SpringActorRef<Command> following =
                            context.getBean(SpringActorSystem.class).actor(FollowingActor.class, "one");
                    following.tell(new Call("before", 0));
                    probe.expectMessage("before done");
                    Map<String, Object> changed = Map.of("redrive.policies.changing.max-attempts", "2");
                    context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
                    context.getBean(RedriveSettings.class).rebind();
                    following.tell(new Call("after", 1));
                    probe.expectMessage("after failed");
                    Rig.get(following.ask(GetDone::new));
                    RIG.time.timePasses(Duration.ofSeconds(1));
                    probe.expectMessage("after done");
                });
    }

    static final class FollowingActor implements SpringActor<Command> {
        private final CallerActor.Service service;

        FollowingActor(CallerActor.Service service) {
            this.service = service;
        }

        @Override
        public SpringActorBehavior<Command> create(SpringActorContext ctx) {
            return SpringActorBehavior.builder(Command.class, ctx)
                    .withRetry("changing")
                    .onMessage(Call.class, (context, call) -> {
                        service.call(ctx.id(), call);
                        return Behaviors.same();
                    })
                    .onMessage(GetDone.class, (context, get) -> {
                        get.replyTo().tell(List.of());
                        return Behaviors.same();
                    })
                    .build();
        }
    }
}
