package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import io.redrive.events.Attempts;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Exchange;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stopping a pipeline, with real threads where threads are the subject. */
@Timeout(30)
class StopTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Rig rig = new Rig();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    private static Event event() {
        return Event.named("order.paid").source("test").correlationId("c").build();
    }

    private Attempts attemptsOf(Lane lane) {
        Instant later = Time.system().now().plusSeconds(1);
        return store.claim(new ClaimRequest("probe", lane, 1, false, Duration.ofMinutes(1), later))
                .get(0)
                .attempts();
    }

    private Pipeline started(EventAction action) {
        Pipeline pipeline = Pipeline.on(store).on("*", action).start();
        pipeline.publish(event());
        return pipeline;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // A handler that ignores interrupts.
            }
        }
    }

    @Test
    void a_handler_that_ends_within_the_limit_is_waited_for_and_settled() throws InterruptedException {
        Pipeline pipeline = started(event -> {
            begun.countDown();
            release.await();
        });
        begun.await();
        Thread stopper = new Thread(() -> pipeline.stop(LONG));
        stopper.start();
        release.countDown();
        stopper.join();
        assertThat(store.stats(Time.system().now())).satisfies(stats -> {
            assertThat(stats.ready()).isZero();
            assertThat(stats.claimed()).isZero();
            assertThat(stats.dead()).isZero();
        });
    }

    @Test
    void a_stop_may_be_given_all_the_time_there_is() throws InterruptedException {
        Pipeline pipeline = started(event -> begun.countDown());
        begun.await();
        pipeline.stop(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(pipeline.health().state()).isEqualTo(PipelineHealth.State.STOPPED);
        assertThat(store.stats(Time.system().now()).claimed()).isZero();
    }

    @Test
    void a_handler_still_busy_at_the_limit_is_interrupted_and_its_event_given_back() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        Pipeline pipeline = started(event -> {
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        begun.await();
        pipeline.stop(SHORT);
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(attemptsOf(Lane.DOMAIN)).isEqualTo(new Attempts(0, 1, 0));
    }

    @Test
    void a_handler_that_ignores_interrupts_does_not_hold_up_the_stop() throws InterruptedException {
        Pipeline pipeline = started(event -> {
            begun.countDown();
            awaitUninterruptibly(release);
        });
        begun.await();
        pipeline.stop(SHORT);
        assertThat(attemptsOf(Lane.DOMAIN)).isEqualTo(new Attempts(0, 1, 0));
        release.countDown();
    }

    @Test
    void stopping_twice_is_harmless() {
        Pipeline pipeline = started(event -> {});
        pipeline.close();
        pipeline.close();
        assertThat(store.stats(Time.system().now()).claimed()).isZero();
    }

    @Test
    void stopping_from_several_threads_at_once_is_harmless() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            Pipeline pipeline = Pipeline.on(store).on("*", event -> {}).start();
            for (int i = 0; i < 50; i++) {
                pipeline.publish(event());
            }
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Runnable stop = () -> {
                try {
                    pipeline.stop(LONG);
                } catch (Throwable e) {
                    failure.set(e);
                }
            };
            Thread one = new Thread(stop);
            Thread two = new Thread(stop);
            one.start();
            two.start();
            one.join();
            two.join();
            assertThat(failure.get()).isNull();
            assertThat(store.stats(Time.system().now()).claimed()).isZero();
        }
    }

    @Test
    void close_from_a_handler_ends() throws InterruptedException {
        AtomicReference<Pipeline> self = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(store)
                .on("*", event -> {
                    self.get().stop(SHORT);
                    closed.countDown();
                })
                .start();
        self.set(pipeline);
        pipeline.publish(event());
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        pipeline.close();
        assertThat(store.stats(Time.system().now()).claimed()).isZero();
    }

    @Test
    void close_from_a_listener_on_the_pipelines_own_thread_ends() throws InterruptedException {
        AtomicReference<Pipeline> self = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(store)
                .on("*", event -> {})
                .listener(new PipelineListener() {
                    @Override
                    public void onDone(Done event) {
                        self.get().close();
                        closed.countDown();
                    }
                })
                .start();
        self.set(pipeline);
        pipeline.publish(event());
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        pipeline.close();
        assertThat(store.stats(Time.system().now()).claimed()).isZero();
    }

    @Test
    void close_from_a_handler_that_runs_inside_the_step_stops_after_the_step() {
        AtomicReference<Pipeline> self = new AtomicReference<>();
        Pipeline pipeline = rig.pipeline().on("*", event -> self.get().close()).build();
        self.set(pipeline);
        pipeline.publish(rig.events("order.paid", 100));
        pipeline.step();
        assertThat(rig.heard.done).isNotEmpty();
        assertThat(rig.stats().claimed()).isZero();
    }

    @Test
    void what_no_handler_has_begun_is_given_back_at_once_and_unspent() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline().executor(busy).on("*", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 300));
        pipeline.drain();
        pipeline.stop(Duration.ZERO);
        assertThat(rig.stats().claimed()).isZero();
        assertThat(rig.stats().ready()).isEqualTo(300);
    }

    @Test
    void tasks_that_begin_after_the_stop_do_nothing() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .executor(busy)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.drain();
        pipeline.stop(Duration.ZERO);
        busy.runAll();
        assertThat(rig.handled).isEmpty();
        assertThat(rig.stats().ready()).isEqualTo(3);
    }

    @Test
    void a_stop_with_time_standing_still_ends_all_the_same() {
        Pipeline pipeline = rig.pipeline()
                .executor(new QueuedExecutor())
                .on("*", event -> {})
                .build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        pipeline.stop(SHORT);
        assertThat(rig.stats().ready()).isEqualTo(1);
    }

    @Test
    void a_store_that_fails_during_the_stop_is_told_and_the_threads_end() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger();
        HookedStore failing = new HookedStore(store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("settle")) {
                    failures.incrementAndGet();
                    throw new IllegalStateException("disk full");
                }
                return call.get();
            }
        };
        assertThatHandlersAreInterruptedOn(failing);
        assertThat(failures.get()).isPositive();
    }

    @Test
    void a_store_that_recovers_within_the_limit_gets_everything_settled() {
        AtomicInteger failures = new AtomicInteger(2);
        HookedStore flaky = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("settle") && failures.getAndDecrement() > 0) {
                    throw new IllegalStateException("busy");
                }
                return call.get();
            }
        };
        Pipeline pipeline = rig.pipelineOn(flaky).on("*", event -> {}).build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.step();
        pipeline.stop(LONG);
        assertThat(rig.heard.done).hasSize(1);
    }

    @Test
    void an_executor_that_refuses_costs_no_attempt_and_the_events_come_back() {
        ExecutorService closed = Executors.newSingleThreadExecutor();
        closed.shutdown();
        Pipeline pipeline = rig.pipeline().executor(closed).on("*", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.drain();
        assertThat(rig.stats().claimed()).isZero();
        assertThat(rig.stats().delayed()).isEqualTo(3);
        rig.run(rig.pipeline().on("*", event -> rig.handled.add(event.id())).build(), LONG, Duration.ofSeconds(1));
        assertThat(rig.heard.done).hasSize(3).allMatch(done -> done.attempts() == 1);
    }

    @Test
    void what_an_exchange_under_way_brings_during_a_stop_is_given_back() throws Exception {
        CountDownLatch claimed = new CountDownLatch(1);
        HookedStore slow = new HookedStore(store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                T result = call.get();
                if (result instanceof Exchange exchange && !exchange.claims().isEmpty()) {
                    claimed.countDown();
                    awaitUninterruptibly(release);
                }
                return result;
            }
        };
        Pipeline pipeline = Pipeline.on(slow).on("*", event -> {}).start();
        pipeline.publish(event());
        claimed.await();
        Thread stopping = new Thread(() -> pipeline.stop(LONG));
        stopping.start();
        release.countDown();
        stopping.join();
        assertThat(store.stats(Instant.now()).claimed()).isZero();
    }

    @Test
    void events_that_wait_for_a_handler_are_given_back_when_the_event_under_way_has_ended()
            throws InterruptedException {
        HookedStore opening = new HookedStore(store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("settle")) {
                    // A released claim shows the begin of the stop, which first releases claims without a handler.
                    release.countDown();
                }
                return call.get();
            }
        };
        AtomicInteger handled = new AtomicInteger();
        Pipeline pipeline = Pipeline.on(opening)
                .profile(new Profile(
                        Duration.ofSeconds(1),
                        50,
                        1,
                        5,
                        20,
                        Profile.STANDARD.critical(),
                        Profile.STANDARD.domain(),
                        Duration.ofSeconds(25),
                        LONG,
                        3))
                .on("*", event -> {
                    begun.countDown();
                    release.await();
                    handled.incrementAndGet();
                })
                .start();
        pipeline.publish(Stream.generate(StopTest::event).limit(20).toList());
        begun.await();
        pipeline.stop(LONG);
        assertThat(handled.get()).as("begun before the stop").isBetween(1, Profile.STANDARD.processors());
        assertThat(store.stats(Instant.now()).claimed()).isZero();
        assertThat(store.stats(Instant.now()).ready()).isEqualTo(20 - handled.get());
    }

    @Test
    void a_store_that_hangs_does_not_make_the_stop_take_its_limit_twice() throws InterruptedException {
        HookedStore hanging = new HookedStore(store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("claim")) {
                    begun.countDown();
                    awaitUninterruptibly(release);
                }
                return call.get();
            }
        };
        Pipeline pipeline = Pipeline.on(hanging).on("*", event -> {}).start();
        begun.await();
        Duration limit = Duration.ofSeconds(4);
        long before = System.nanoTime();
        pipeline.stop(limit);
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isLessThan(limit.multipliedBy(2).minusMillis(500));
        release.countDown();
    }

    @Test
    void a_store_that_answers_nothing_any_more_does_not_hold_up_the_stop() throws InterruptedException {
        AtomicBoolean away = new AtomicBoolean();
        HookedStore hanging = new HookedStore(store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (away.get()) {
                    awaitUninterruptibly(release);
                }
                return call.get();
            }
        };
        CountDownLatch interrupted = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(hanging)
                .on("*", event -> {
                    begun.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                })
                .start();
        pipeline.publish(event());
        begun.await();
        away.set(true);
        pipeline.stop(SHORT);
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(pipeline.health().state()).isEqualTo(PipelineHealth.State.STOPPED);
        release.countDown();
    }

    @Test
    void a_listener_that_blocks_does_not_hold_up_the_stop_and_the_events_are_given_back() throws InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(store)
                .listener(new PipelineListener() {
                    @Override
                    public void onDone(Done event) {
                        begun.countDown();
                        awaitUninterruptibly(release);
                    }
                })
                .on("quick", event -> {})
                .on("slow", event -> {
                    handling.countDown();
                    release.await();
                })
                .start();
        pipeline.publish(Event.named("slow").source("test").correlationId("c").build());
        handling.await();
        pipeline.publish(Event.named("quick").source("test").correlationId("c").build());
        begun.await();
        pipeline.stop(SHORT);
        assertThat(store.stats(Instant.now()).claimed()).isZero();
        assertThat(store.stats(Instant.now()).ready()).isEqualTo(1);
        // Leases extended after the end of a pipeline would keep events from further nodes.
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("redrive-leases")) {
                thread.join(Duration.ofSeconds(20).toMillis());
                assertThat(thread.isAlive()).isFalse();
            }
        }
        release.countDown();
    }

    @Test
    void a_stop_from_a_handlers_own_thread_returns_at_once_and_its_event_is_settled() throws InterruptedException {
        AtomicReference<Pipeline> self = new AtomicReference<>();
        CountDownLatch returned = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(store)
                .on("*", event -> {
                    begun.await();
                    self.get().stop(Duration.ofHours(1));
                    returned.countDown();
                })
                .start();
        self.set(pipeline);
        pipeline.publish(event());
        begun.countDown();
        assertThat(returned.await(20, TimeUnit.SECONDS)).isTrue();
        pipeline.stop(LONG);
        assertThat(store.stats(Instant.now())).satisfies(stats -> {
            assertThat(stats.claimed()).isZero();
            assertThat(stats.ready()).isZero();
        });
    }

    @Test
    void no_thread_of_a_stopped_pipeline_keeps_the_process_running() {
        Pipeline pipeline = started(event -> {});
        pipeline.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("redrive-") && !thread.isDaemon())
                .filteredOn(thread -> !endsSoon(thread))
                .isEmpty();
    }

    private static boolean endsSoon(Thread thread) {
        try {
            thread.join(LONG.toMillis());
            return !thread.isAlive();
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void assertThatHandlersAreInterruptedOn(HookedStore troubled) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(troubled)
                .listener(rig.heard)
                .on("*", event -> {
                    begun.countDown();
                    try {
                        release.await();
                    } finally {
                        ended.countDown();
                    }
                })
                .start();
        pipeline.publish(event());
        begun.await();
        pipeline.stop(SHORT);
        assertThat(ended.await(10, TimeUnit.SECONDS))
                .as("interrupted all the same")
                .isTrue();
        assertThat(rig.heard.troubles).isNotEmpty();
    }

    @Test
    void an_error_of_the_store_does_not_keep_handlers_from_being_interrupted() throws InterruptedException {
        HookedStore broken = new HookedStore(store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("settle")) {
                    throw new NoClassDefFoundError("Driver");
                }
                return call.get();
            }
        };
        assertThatHandlersAreInterruptedOn(broken);
    }

    @Test
    void an_executor_that_finds_no_thread_loses_no_event() {
        AtomicInteger tasks = new AtomicInteger();
        Pipeline pipeline = rig.pipeline()
                .executor(task -> {
                    if (tasks.getAndIncrement() == 0) {
                        throw new Error("no more threads");
                    }
                    task.run();
                })
                .on("*", event -> {})
                .build();
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.drain();
        rig.run(pipeline, LONG, Duration.ofSeconds(1));
        assertThat(rig.heard.done).hasSize(3).allMatch(done -> done.attempts() == 1);
    }

    @Test
    void an_interrupt_that_is_no_stop_does_not_end_the_pipeline() throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.on(store)
                .listener(new PipelineListener() {
                    @Override
                    public void onDone(Done event) {
                        Thread.currentThread().interrupt();
                        interrupted.countDown();
                    }
                })
                .on("*", event -> handled.countDown())
                .start()) {
            pipeline.publish(event());
            interrupted.await();
            pipeline.publish(event());
            assertThat(handled.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void an_interrupt_while_a_stop_waits_ends_the_waiting_and_stays_set() throws InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        Pipeline pipeline = Pipeline.on(rig.store)
                .time(rig.time)
                .on("*", event -> {
                    handling.countDown();
                    new CountDownLatch(1).await();
                })
                .start();
        pipeline.publish(rig.event("order.paid").build());
        handling.await();
        Thread.currentThread().interrupt();
        pipeline.stop(Duration.ofHours(1));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(rig.stats().claimed()).isZero();
    }
}
