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

/** An actor system with manual time, and application contexts with it. */
final class Rig implements AutoCloseable {

    /** How long a test waits before it fails; long enough for a loaded machine. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final ActorTestKit kit = ActorTestKit.create(ManualTime.config()
            .withFallback(ConfigFactory.parseString("pekko.actor.testkit.typed.single-expect-default = 30s\n"
                    + "pekko.actor.testkit.typed.default-timeout = 30s\npekko.loglevel = OFF")));
    final ManualTime time = ManualTime.get(kit.system());

    /** Application contexts that create an actor system. */
    static ApplicationContextRunner contexts() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RedriveAutoConfiguration.class,
                        RedriveMetricsAutoConfiguration.class,
                        ActorsAutoConfiguration.class))
                .withPropertyValues(
                        "spring.application.name=orders", "redrive.store.type=memory", "pekko.loglevel=OFF");
    }

    /** Application contexts with this actor system, which outlives the contexts. */
    ApplicationContextRunner contextsHere() {
        return contexts()
                .withBean("system", ActorSystem.class, kit::system, definition -> definition.setDestroyMethodName(""));
    }

    <T> TestProbe<T> eventsOf(Class<T> type) {
        TestProbe<T> probe = kit.createTestProbe(type);
        // The classic subscription is complete when subscribe returns; the typed one is a message.
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
