package io.redrive.spring.actors;

import com.typesafe.config.ConfigFactory;
import io.redrive.spring.RedriveAutoConfiguration;
import io.redrive.spring.RedriveMetricsAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An actor system whose time stands still until it is moved, and application contexts on it. */
final class Rig implements AutoCloseable {

    /** Long enough for a loaded machine; nobody waits for it when all is well. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final ActorTestKit kit = ActorTestKit.create(ManualTime.config()
            .withFallback(ConfigFactory.parseString("pekko.actor.testkit.typed.single-expect-default = 30s\n"
                    + "pekko.actor.testkit.typed.default-timeout = 30s\npekko.loglevel = OFF")));
    final ManualTime time = ManualTime.get(kit.system());

    /** Contexts that make an actor system of their own. */
    static ApplicationContextRunner contexts() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RedriveAutoConfiguration.class,
                        RedriveMetricsAutoConfiguration.class,
                        ActorsAutoConfiguration.class))
                .withPropertyValues(
                        "spring.application.name=orders", "redrive.store.type=memory", "pekko.loglevel=OFF");
    }

    /** Contexts with this actor system, which outlives them. */
    ApplicationContextRunner contextsHere() {
        return contexts()
                .withBean("system", ActorSystem.class, kit::system, definition -> definition.setDestroyMethodName(""));
    }

    <T> TestProbe<T> eventsOf(Class<T> type) {
        TestProbe<T> probe = kit.createTestProbe(type);
        // The classic way, which is done when it returns.
        Adapter.toClassic(kit.system()).eventStream().subscribe(Adapter.toClassic(probe.getRef()), type);
        return probe;
    }

    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kit.shutdownTestKit();
    }
}
