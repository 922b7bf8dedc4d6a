package io.redrive.spring.actors;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.Reason;
import io.redrive.core.RetryExhaustedException;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AbandonedEvent;
import io.redrive.spring.actors.CallerActor.Call;
import io.redrive.spring.actors.CallerActor.Command;
import io.redrive.spring.actors.CallerActor.GetDone;
import io.redrive.spring.actors.CallerActor.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;

/** Actors by bean type and id: created, found, restarted and stopped. */
final class SpringActorSystemTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.kit.createTestProbe(String.class);

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private ApplicationContextRunner with(Settings settings) {
        return RIG.contextsHere()
                .withBean(CallerActor.Service.class, () -> new CallerActor.Service(probe.getRef()))
                .withBean(Settings.class, () -> settings)
                .withBean(CallerActor.class);
    }

    private static List<String> doneBy(SpringActorRef<Command> actor) {
        return Rig.get(actor.ask(GetDone::new));
    }

    @Test
    void an_actor_is_found_again_by_type_and_id() {
        with(Settings.usual()).run(context -> {
            SpringActorSystem actors = context.getBean(SpringActorSystem.class);
            actors.actor(CallerActor.class, "eu").tell(new Call("a", 0));
            actors.actor(CallerActor.class, "eu").tell(new Call("b", 0));
            actors.actor(CallerActor.class, "us").tell(new Call("c", 0));
            assertThat(doneBy(actors.actor(CallerActor.class, "eu"))).containsExactly("a", "b");
            assertThat(doneBy(actors.actor(CallerActor.class, "us"))).containsExactly("c");
            assertThat(actors.actor(CallerActor.class, "eu").id()).isEqualTo("eu");
            assertThat(actors.actor(CallerActor.class, "eu")).asString().endsWith("/eu");
            assertThat(actors.system()).isSameAs(RIG.kit.system());
        });
    }

    @Test
    void ref_returns_the_reference_of_pekko() {
        with(Settings.usual()).run(context -> {
            SpringActorRef<Command> eu =
                    context.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
            ActorRef<Command> ref = Rig.get(eu.ref());
            ref.tell(new Call("a", 0));
            assertThat(doneBy(eu)).containsExactly("a");
            eu.stop();
            probe.expectMessage("a done");
            probe.expectTerminated(ref);
        });
    }

    @Test
    void unknown_beans_and_blank_ids_are_refused() {
        RIG.contextsHere().run(context -> {
            SpringActorSystem actors = context.getBean(SpringActorSystem.class);
            assertThatThrownBy(() -> actors.actor(CallerActor.class, "eu"))
                    .isInstanceOf(NoSuchBeanDefinitionException.class)
                    .hasMessageContaining("CallerActor");
            assertThatThrownBy(() -> actors.behavior(CallerActor.class, "eu"))
                    .isInstanceOf(NoSuchBeanDefinitionException.class);
            assertThatThrownBy(() -> actors.actor(CallerActor.class, " "))
                    .hasMessage("id of CallerActor must not be blank, got ' '");
        });
    }

    @Test
    void ask_times_out_after_the_time_in_the_settings() {
        with(Settings.usual())
                .withPropertyValues("redrive.actors.ask-timeout=1s")
                .run(context -> {
                    SpringActorRef<Command> eu =
                            context.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
                    var answer = eu.<String>ask(replyTo -> new Call("a", 0));
                    probe.expectMessage("a done");
                    RIG.time.timePasses(ofMillis(1_001));
                    assertThat(answer.toCompletableFuture())
                            .failsWithin(Rig.PATIENCE)
                            .withThrowableThat()
                            .withCauseInstanceOf(TimeoutException.class);
                });
    }

    /** Keeps state in fields, which is allowed only for a prototype. */
    static final class CounterActor implements SpringActor<CounterActor.Count> {
        static final AtomicInteger BEANS = new AtomicInteger();

        record Count(ActorRef<Integer> replyTo) {}

        private int count;

        CounterActor() {
            BEANS.incrementAndGet();
        }

        @Override
        public SpringActorBehavior<Count> create(SpringActorContext ctx) {
            return SpringActorBehavior.builder(Count.class, ctx)
                    .onAnyMessage((context, message) -> {
                        message.replyTo().tell(++count);
                        return Behaviors.same();
                    })
                    .build();
        }
    }

    @Test
    void each_actor_of_a_prototype_has_its_own_bean() {
        RIG.contextsHere()
                .withBean(CounterActor.class, CounterActor::new, bean -> bean.setScope("prototype"))
                .run(context -> {
                    SpringActorSystem actors = context.getBean(SpringActorSystem.class);
                    for (String id : List.of("a", "b")) {
                        assertThat(Rig.get(actors.actor(CounterActor.class, id).ask(CounterActor.Count::new)))
                                .isEqualTo(1);
                        assertThat(Rig.get(actors.actor(CounterActor.class, id).ask(CounterActor.Count::new)))
                                .isEqualTo(2);
                    }
                });
        // A bean for each of the two actors, and one to find the class of the bean.
        assertThat(CounterActor.BEANS).hasValue(3);
    }

    @Test
    void a_restart_calls_create_again_and_keeps_waiting_messages() {
        RetryPolicy policy = CallerActor.POLICY.toBuilder()
                .doNotRetryOn(IllegalStateException.class)
                .build();
        with(Settings.usual().with(policy).with(SupervisorStrategy.restart())).run(context -> {
            SpringActorRef<Command> eu =
                    context.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
            eu.tell(new Call("before", 0));
            probe.expectMessage("before done");
            eu.tell(new Call("pending", 1));
            probe.expectMessage("pending failed");
            // The policy does not retry this exception: the actor fails, and the supervisor restarts the actor.
            eu.tell(new Call("fatal", 1, new IllegalStateException("broken")));
            probe.expectMessage("fatal failed");
            assertThat(doneBy(eu)).isEmpty();
            RIG.time.timePasses(ofMillis(100));
            probe.expectMessage("pending done");
            assertThat(doneBy(eu)).containsExactly("pending");
        });
    }

    /** Resumes when a message was given up, restarts at IllegalStateException, and stops at any other failure. */
    static final class PickyActor implements SpringActor<Command> {
        private final CallerActor.Service service;

        PickyActor(CallerActor.Service service) {
            this.service = service;
        }

        @Override
        public SpringActorBehavior<Command> create(SpringActorContext ctx) {
            List<String> done = new ArrayList<>();
            return SpringActorBehavior.builder(Command.class, ctx)
                    .withRetry(RetryPolicy.builder()
                            .maxAttempts(2)
                            .backoff(Backoff.none())
                            .doNotRetryOn(RuntimeException.class)
                            .build())
                    .withSupervision(RetryExhaustedException.class, SupervisorStrategy.resume())
                    .withSupervision(IllegalStateException.class, SupervisorStrategy.restart())
                    .onMessage(Call.class, (context, call) -> {
                        service.call(ctx.id(), call);
                        done.add(call.what());
                        return Behaviors.same();
                    })
                    .onMessage(GetDone.class, (context, get) -> {
                        get.replyTo().tell(List.copyOf(done));
                        return Behaviors.same();
                    })
                    .build();
        }
    }

    @Test
    void supervision_can_depend_on_the_failure() {
        RIG.contextsHere()
                .withBean(CallerActor.Service.class, () -> new CallerActor.Service(probe.getRef()))
                .withBean(PickyActor.class)
                .run(context -> {
                    SpringActorRef<Command> picky =
                            context.getBean(SpringActorSystem.class).actor(PickyActor.class, "one");
                    ActorRef<Command> ref = Rig.get(picky.ref());
                    picky.tell(new Call("kept", 0));
                    picky.tell(new Call("given-up", 9));
                    assertThat(doneBy(picky)).containsExactly("kept");
                    picky.tell(new Call("broken", 9, new IllegalStateException("broken")));
                    assertThat(doneBy(picky)).isEmpty();
                    picky.tell(new Call("fatal", 9, new IllegalArgumentException("what")));
                    RIG.kit.createTestProbe().expectTerminated(ref, Rig.PATIENCE);
                });
    }

    @Test
    void a_stop_of_the_application_gives_up_waiting_messages_before_beans_are_destroyed() {
        Queue<AbandonedEvent<Command>> letters = new ConcurrentLinkedQueue<>();
        List<String> order = new CopyOnWriteArrayList<>();
        with(Settings.usual()
                        .with(retry -> retry.deadLetters(letter -> {
                            order.add("letter");
                            letters.add(letter);
                        })))
                .withBean(AutoCloseable.class, () -> () -> order.add("bean"))
                .run(context -> {
                    SpringActorRef<Command> eu =
                            context.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
                    eu.tell(new Call("a", 1));
                    probe.expectMessage("a failed");
                    doneBy(eu);
                });
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(Reason.CANCELLED);
            assertThat(letter.serviceName()).isEqualTo("CallerActor");
            assertThat(letter.attemptCount()).isEqualTo(1);
        });
        assertThat(order).containsExactly("letter", "bean");
    }

    @Test
    void a_message_is_retried_while_a_thousand_others_flow() {
        with(Settings.usual()).run(context -> {
            SpringActorRef<Command> eu =
                    context.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
            eu.tell(new Call("late", 2));
            for (long delay : List.of(100L, 200L)) {
                for (int i = 0; i < 500; i++) {
                    eu.tell(new Call("other-" + delay + "-" + i, 0));
                }
                assertThat(doneBy(eu)).doesNotContain("late");
                RIG.time.timePasses(ofMillis(delay));
            }
            List<String> done = doneBy(eu);
            assertThat(done).hasSize(1_001);
            assertThat(done.get(1_000)).isEqualTo("late");
        });
    }

    /** Gets the reference of another actor in its constructor. */
    static final class Curious implements SpringActor<String> {
        private final SpringActorRef<Command> other;

        Curious(SpringActorSystem actors) {
            other = actors.actor(CallerActor.class, "asked-early");
        }

        @Override
        public SpringActorBehavior<String> create(SpringActorContext ctx) {
            return SpringActorBehavior.builder(String.class, ctx)
                    .onMessage(String.class, (context, text) -> {
                        other.tell(new Call(text, 0));
                        return Behaviors.same();
                    })
                    .build();
        }
    }

    @Test
    void an_actor_bean_can_inject_the_actor_system() {
        with(Settings.usual())
                .withInitializer(context -> ((GenericApplicationContext) context)
                        .registerBean(Curious.class, bean -> bean.setLazyInit(true)))
                .run(context -> {
                    context.getBean(SpringActorSystem.class)
                            .actor(Curious.class, "c")
                            .tell("hello");
                    probe.expectMessage("hello done");
                });
    }

    @Test
    void two_application_contexts_can_share_an_actor_system() {
        with(Settings.usual())
                .run(first -> with(Settings.usual()).run(second -> {
                    SpringActorRef<Command> here =
                            first.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
                    SpringActorRef<Command> there =
                            second.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
                    here.tell(new Call("a", 0));
                    assertThat(doneBy(here)).containsExactly("a");
                    assertThat(doneBy(there)).isEmpty();
                }));
    }

    /** Holds up the end. */
    static final class StubbornActor implements SpringActor<String> {
        @Override
        public SpringActorBehavior<String> create(SpringActorContext ctx) {
            return SpringActorBehavior.builder(String.class, ctx)
                    .onMessage(String.class, (context, text) -> Behaviors.same())
                    .onSignal(PostStop.class, (context, signal) -> {
                        RELEASED.await();
                        return Behaviors.same();
                    })
                    .build();
        }

        static final CountDownLatch RELEASED = new CountDownLatch(1);
    }

    @Test
    void the_application_stops_without_an_actor_that_does_not_stop_in_time() {
        List<String> closed = new ArrayList<>();
        RIG.contextsHere()
                .withBean(StubbornActor.class)
                .withBean(AutoCloseable.class, () -> () -> closed.add("bean"))
                .withPropertyValues("redrive.actors.stop-limit=50ms")
                .run(context -> Rig.get(context.getBean(SpringActorSystem.class)
                        .actor(StubbornActor.class, "s")
                        .ref()));
        assertThat(closed).containsExactly("bean");
        StubbornActor.RELEASED.countDown();
    }

    @Test
    void a_message_after_a_stop_creates_the_actor_again() {
        with(Settings.usual()).run(context -> {
            SpringActorRef<Command> eu =
                    context.getBean(SpringActorSystem.class).actor(CallerActor.class, "eu");
            ActorRef<Command> first = Rig.get(eu.ref());
            eu.stop();
            Awaitility.await()
                    .atMost(Rig.PATIENCE)
                    .until(() -> !Rig.get(eu.ref()).equals(first));
            assertThat(doneBy(eu)).isEmpty();
        });
    }
}
