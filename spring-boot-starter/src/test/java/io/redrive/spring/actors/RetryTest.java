package io.redrive.spring.actors;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Reason;
import io.redrive.core.RetryExhaustedException;
import io.redrive.core.RetryPolicy;
import io.redrive.pekko.RetryContext;
import io.redrive.spring.RedriveAutoConfiguration;
import io.redrive.spring.actors.CallerActor.Call;
import io.redrive.spring.actors.CallerActor.Command;
import io.redrive.spring.actors.CallerActor.GetDone;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

/** The five scenarios of the requirements, in an application, on an actor system with manual time. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {"redrive.store.type=memory", "spring.main.banner-mode=off"})
final class RetryTest {

    private static final Rig RIG = new Rig();
    private static final TestProbe<String> PROBE = RIG.kit.createTestProbe(String.class);
    private static final ManualTime TIME = RIG.time;

    /** Read for each actor, because the bean is a prototype. */
    private static CallerActor.Settings settings;

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({RedriveAutoConfiguration.class, ActorsAutoConfiguration.class})
    static class Application {

        @Bean(destroyMethod = "")
        ActorSystem<?> system() {
            return RIG.kit.system();
        }

        @Bean
        CallerActor.Service service() {
            return new CallerActor.Service(PROBE.getRef());
        }

        @Bean
        @Scope("prototype")
        CallerActor caller(CallerActor.Service service) {
            return new CallerActor(service, settings);
        }
    }

    @Autowired
    private SpringActorSystem actors;

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private SpringActorRef<Command> caller(CallerActor.Settings chosen) {
        settings = chosen;
        SpringActorRef<Command> caller =
                actors.actor(CallerActor.class, UUID.randomUUID().toString());
        assertThat(doneBy(caller)).isEmpty();
        return caller;
    }

    /** The answer also shows that all earlier messages were handled. */
    private static List<String> doneBy(SpringActorRef<Command> actor) {
        return Rig.get(actor.ask(GetDone::new, Rig.PATIENCE));
    }

    private static void pass(Duration amount, SpringActorRef<Command> actor) {
        doneBy(actor);
        TIME.timePasses(amount);
    }

    @Test
    void successful_retry() {
        SpringActorRef<Command> caller = caller(CallerActor.Settings.usual());
        caller.tell(new Call("a", 2));
        PROBE.expectMessage("a failed");
        pass(ofMillis(100), caller);
        PROBE.expectMessage("a failed");
        pass(ofMillis(200), caller);
        PROBE.expectMessage("a done");
        assertThat(doneBy(caller)).containsExactly("a");
    }

    @Test
    void exponential_backoff() {
        SpringActorRef<Command> caller = caller(CallerActor.Settings.usual()
                .with(CallerActor.POLICY.toBuilder().maxAttempts(5).build()));
        caller.tell(new Call("a", 4));
        PROBE.expectMessage("a failed");
        for (long delay : List.of(100L, 200L, 400L, 800L)) {
            doneBy(caller);
            TIME.expectNoMessageFor(ofMillis(delay - 1), PROBE);
            TIME.timePasses(ofMillis(1));
            PROBE.expectMessage(delay == 800 ? "a done" : "a failed");
        }
    }

    @Test
    void jitter() {
        List<Duration> delays = new CopyOnWriteArrayList<>();
        SpringActorRef<Command> caller = caller(CallerActor.Settings.usual()
                .with(CallerActor.POLICY.toBuilder()
                        .maxAttempts(100)
                        .backoff(Backoff.fixed(ofMillis(100)))
                        .jitter(0.2)
                        .build())
                .with(retry -> retry.random(new Random(42)).onRetry(context -> delays.add(context.delay()))));
        caller.tell(new Call("a", 20));
        for (int i = 0; i < 20; i++) {
            PROBE.expectMessage("a failed");
            pass(ofMillis(120), caller);
        }
        PROBE.expectMessage("a done");
        assertThat(delays).hasSize(20).allSatisfy(delay -> assertThat(delay).isBetween(ofMillis(80), ofMillis(120)));
        assertThat(delays).anyMatch(delay -> delay.compareTo(ofMillis(95)) < 0);
        assertThat(delays).anyMatch(delay -> delay.compareTo(ofMillis(105)) > 0);
    }

    @Test
    void retry_exhausted() {
        List<RetryContext<Command>> exhausted = new CopyOnWriteArrayList<>();
        TestProbe<Throwable> parent = RIG.kit.createTestProbe();
        ActorRef<Command> caller = supervised(
                CallerActor.Settings.usual().with(retry -> retry.onRetryExhausted(exhausted::add)), parent.getRef());
        caller.tell(new Call("a", 3));
        for (long delay : List.of(100L, 200L)) {
            PROBE.expectMessage("a failed");
            TestProbe<List<String>> done = RIG.kit.createTestProbe();
            caller.tell(new GetDone(done.getRef()));
            done.receiveMessage();
            TIME.timePasses(ofMillis(delay));
        }
        PROBE.expectMessage("a failed");
        assertThat(parent.receiveMessage())
                .isInstanceOf(RetryExhaustedException.class)
                .hasMessage("CallerActor on Call gave up after 3 attempts: max_attempts_exceeded")
                .hasCauseInstanceOf(IOException.class);
        assertThat(exhausted).singleElement().satisfies(end -> {
            assertThat(end.message()).isInstanceOf(Call.class);
            assertThat(end.attempt()).isEqualTo(3);
            assertThat(end.reason()).contains(Reason.MAX_ATTEMPTS_EXCEEDED);
            assertThat(end.error()).hasMessage("no answer to a");
        });
    }

    /** Starts a child of an actor, which reports the failure of the child. */
    private ActorRef<Command> supervised(CallerActor.Settings chosen, ActorRef<Throwable> failures) {
        settings = chosen;
        TestProbe<ActorRef<Command>> started = RIG.kit.createTestProbe();
        RIG.kit.spawn(Behaviors.<Void>setup(ctx -> {
            ActorRef<Command> child = ctx.spawn(
                    actors.behavior(CallerActor.class, UUID.randomUUID().toString()), "child");
            ctx.watch(child);
            started.getRef().tell(child);
            return Behaviors.receive(Void.class)
                    .onSignal(ChildFailed.class, failed -> {
                        failures.tell(failed.getCause());
                        return Behaviors.stopped();
                    })
                    .build();
        }));
        return started.receiveMessage();
    }

    @Test
    void retry_conditions() {
        RetryPolicy policy = CallerActor.POLICY.toBuilder()
                .retryOn(TimeoutException.class, IOException.class)
                .doNotRetryOn(IllegalArgumentException.class)
                .retryIf(error -> "busy".equals(error.getMessage()))
                .build();
        assertThat(retries(policy, new TimeoutException())).isTrue();
        assertThat(retries(policy, new FileNotFoundException())).isTrue();
        assertThat(retries(policy, new IllegalStateException("busy"))).isTrue();
        assertThat(retries(policy, new RuntimeException(new IOException()))).isTrue();
        assertThat(retries(policy, new IllegalStateException("broken"))).isFalse();
        assertThat(retries(policy, new IllegalArgumentException("busy"))).isFalse();
    }

    private boolean retries(RetryPolicy policy, Exception error) {
        TestProbe<Object> outcome = RIG.kit.createTestProbe();
        ActorRef<Command> caller = supervised(
                CallerActor.Settings.usual()
                        .with(policy)
                        .with(retry -> retry.onRetry(context -> outcome.getRef().tell("retry"))),
                outcome.getRef().narrow());
        caller.tell(new Call("a", 1, error));
        PROBE.expectMessage("a failed");
        Object first = outcome.receiveMessage();
        if (first == error) {
            return false;
        }
        assertThat(first).isEqualTo("retry");
        TIME.timePasses(ofMillis(100));
        PROBE.expectMessage("a done");
        return true;
    }
}
