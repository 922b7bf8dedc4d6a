package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Pipeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.transaction.support.TransactionSynchronizationManager;

final class AutoConfigurationTest {

    @TempDir
    private Path folder;

    static final class Shipping {
        final Queue<String> shipped = new ConcurrentLinkedQueue<>();

        @OnEvent("order.*")
        void ship(Event event) {
            shipped.add(event.text());
        }
    }

    private static void until(Runnable assertion) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion::run);
    }

    @Test
    void one_dependency_gives_a_store_in_a_file_a_bus_and_a_pipeline() {
        Path file = folder.resolve("orders.db");
        Contexts.bare()
                .withPropertyValues("redrive.store.path=" + file)
                .withBean(Shipping.class)
                .run(context -> {
                    assertThat(context.getBean(EventStore.class)).isInstanceOf(SqliteStore.class);
                    context.getBean(EventBus.class).publish("order.paid", "17");
                    until(() ->
                            assertThat(context.getBean(Shipping.class).shipped).containsExactly("17"));
                });
        assertThat(Files.exists(file)).isTrue();
    }

    @Test
    void events_wait_in_the_file_for_an_application_that_handles_them() {
        Path file = folder.resolve("orders.db");
        Contexts.bare().withPropertyValues("redrive.store.path=" + file).run(context -> {
            context.getBean(EventBus.class).publish("order.paid", "17");
            assertThat(context.getBean(PipelineLifecycle.class).isRunning()).isFalse();
        });
        Contexts.bare()
                .withPropertyValues("redrive.store.path=" + file)
                .withBean(Shipping.class)
                .run(context -> until(() ->
                        assertThat(context.getBean(Shipping.class).shipped).containsExactly("17")));
    }

    @Test
    void an_application_without_handlers_leaves_events_alone() {
        Contexts.inMemory().run(context -> {
            context.getBean(EventBus.class).publish("order.paid", "17");
            assertThat(context.getBean(PipelineLifecycle.class).isRunning()).isFalse();
            assertThat(context.getBean(EventStore.class).deadLetters().count(LetterFilter.ALL))
                    .isZero();
        });
        Contexts.inMemory()
                .withBean(Shipping.class)
                .withPropertyValues("redrive.pipeline.enabled=false")
                .run(context -> assertThat(
                                context.getBean(PipelineLifecycle.class).isRunning())
                        .isFalse());
    }

    @Test
    void a_customizer_can_add_handlers() {
        Queue<String> got = new ConcurrentLinkedQueue<>();
        Contexts.inMemory()
                .withBean(
                        PipelineCustomizer.class,
                        () -> builder -> builder.on("order.*", event -> got.add(event.text())))
                .run(context -> {
                    context.getBean(EventBus.class).publish("order.paid", "17");
                    until(() -> assertThat(got).containsExactly("17"));
                });
    }

    @Test
    void beans_of_the_application_replace_those_of_the_starter() {
        InMemoryEventStore mine = new InMemoryEventStore();
        Contexts.bare().withBean(EventStore.class, () -> mine).run(context -> {
            assertThat(context.getBean(EventStore.class)).isSameAs(mine);
            assertThat(context).hasSingleBean(Time.class);
        });
    }

    @Test
    void the_starter_can_be_switched_off() {
        Contexts.bare().withPropertyValues("redrive.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context).doesNotHaveBean(EventStore.class);
            assertThat(context).doesNotHaveBean(EventBus.class);
            assertThat(context).doesNotHaveBean(RetryWithPostProcessor.class);
        });
    }

    @Test
    void the_starter_works_without_transactions() {
        Contexts.inMemory()
                .withClassLoader(new FilteredClassLoader(TransactionSynchronizationManager.class))
                .withBean(Shipping.class)
                .run(context -> {
                    assertThat(context.getBean(EventBus.class).publish("order.paid", "17"))
                            .isEqualTo(Publication.ACCEPTED);
                    until(() ->
                            assertThat(context.getBean(Shipping.class).shipped).containsExactly("17"));
                });
    }

    static final class Slow {
        static final CountDownLatch BEGAN = new CountDownLatch(1);
        static final CountDownLatch GO_ON = new CountDownLatch(1);
        static final AtomicBoolean FINISHED = new AtomicBoolean();

        @OnEvent("slow.*")
        void handle(Event event) throws InterruptedException {
            BEGAN.countDown();
            GO_ON.await();
            FINISHED.set(true);
        }
    }

    @Test
    void a_handler_may_finish_while_the_application_stops() {
        InMemoryEventStore store = new InMemoryEventStore();
        Contexts.bare()
                .withBean(EventStore.class, () -> store)
                .withBean(Slow.class)
                .run(context -> {
                    context.getBean(EventBus.class).publish("slow.work", "x");
                    Slow.BEGAN.await();
                    Thread closing = new Thread(context::close);
                    closing.start();
                    until(() -> assertThat(closing.getState()).isIn(Thread.State.TIMED_WAITING, Thread.State.WAITING));
                    Slow.GO_ON.countDown();
                    closing.join();
                });
        assertThat(Slow.FINISHED).isTrue();
        assertThat(store.stats(Time.system().now()).ready()).isZero();
    }

    @Test
    void settings_reach_the_pipeline_and_bad_settings_stop_the_start() {
        Contexts.inMemory()
                .withPropertyValues(
                        "redrive.events.policies.[order.*].max-attempts=7",
                        "redrive.events.policies.[order.*].initial-delay=250ms",
                        "redrive.pipeline.profile=high-throughput",
                        "redrive.pipeline.domain.handlers=3",
                        "redrive.alerts.dead-letters=5",
                        "redrive.automatic-redrive.reasons=timeout,circuit_open")
                .run(context -> {
                    Pipeline pipeline = context.getBean(Pipeline.class);
                    assertThat(pipeline.policies().policyFor("order.paid").maxAttempts())
                            .isEqualTo(7);
                    assertThat(pipeline.policies()
                                    .policyFor("order.paid")
                                    .backoff()
                                    .delay(1))
                            .isEqualTo(Duration.ofMillis(250));
                    assertThat(pipeline.alerts().current())
                            .anySatisfy(state -> assertThat(state.threshold()).isEqualTo(5));
                });
        refused(
                "redrive.events.policies.[order.*].max-attempts=0",
                "redrive.events.policies[order.*].max-attempts: must be");
        refused("redrive.pipeline.profile=fast", "profile must be one of standard, high-throughput, low-latency");
        refused("redrive.automatic-redrive.reasons=bad", "reason must be one of", "'bad'");
        refused("redrive.budgets.bank.share=7", "redrive.budgets.bank", "share must be between 0 and 1");
        refused("redrive.breakers.bank.window=0", "redrive.breakers.bank", "window must be at least 1");
        refused("redrive.policies.bank.backoff=cubic", "redrive.policies.bank.backoff: must be one of");
        refused("redrive.events.budgets.[order.*]=none", "no budget 'none'", "set redrive.budgets.none.*");
        refused("redrive.store.type=postgres", "redrive.store.type is postgres", "set spring.datasource.url");
    }

    private static void refused(String property, String... parts) {
        Contexts.inMemory().withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            for (String part : parts) {
                assertThat(context.getStartupFailure()).hasStackTraceContaining(part);
            }
        });
    }
}
