package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pipeline's thread: exceptions it survives, and how a stuck step is noticed. */
@Timeout(60)
class LoopTest {

    private final Rig rig = new Rig();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    /** Blocks the pipeline's thread with the first success. */
    private final PipelineListener blocking = new PipelineListener() {
        @Override
        public void onDone(Done event) {
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    };

    private static Event event(String name) {
        return Event.named(name).source("test").correlationId("c").build();
    }

    /** The text of an error is user code, and throws here. */
    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }
    }

    @Test
    void a_log_that_throws_does_not_end_the_pipelines_thread() throws InterruptedException {
        Logger logger = Logger.getLogger(Pipeline.class.getPackageName());
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord told) {
                throw new NoClassDefFoundError("an appender's class");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(broken);
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        CountDownLatch handled = new CountDownLatch(2);
        try (Pipeline pipeline = Pipeline.on(rig.store)
                .on("bad", event -> {
                    handled.countDown();
                    throw new IllegalArgumentException("no");
                })
                .start()) {
            pipeline.publish(event("bad"));
            pipeline.publish(event("bad"));
            assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(pipeline.health().isHealthy()).isTrue();
        } finally {
            logger.removeHandler(broken);
            logger.setUseParentHandlers(true);
            logger.setLevel(Level.OFF);
        }
    }

    @Test
    void a_listener_that_throws_what_cannot_be_read_costs_no_neighbour_its_end() {
        Pipeline pipeline = rig.pipeline()
                .listener(new PipelineListener() {
                    @Override
                    public void onDone(Done event) {
                        throw new Unreadable();
                    }
                })
                .on("*", event -> {})
                .build();
        pipeline.publish(rig.events("order.paid", 60));
        pipeline.drain();
        assertThat(rig.heard.done).hasSize(60);
        assertThat(rig.stats().claimed()).isZero();
    }

    @Test
    void failures_that_cannot_be_read_and_policies_that_throw_cost_no_neighbour_its_end() {
        RetryPolicy broken = RetryPolicy.builder()
                .retryIf(failure -> {
                    throw new StackOverflowError("in a predicate");
                })
                .build();
        Pipeline pipeline = rig.pipeline()
                .policies(EventPolicies.defaults().with("*", Rig.attempts(2)).with("broken.policy", broken))
                .validate("unreadable.event", event -> {
                    throw new Unreadable();
                })
                .on("unreadable.handler", event -> {
                    throw new Unreadable();
                })
                .on("broken.policy", event -> {
                    throw new AssertionError("no");
                })
                .onBatch("unreadable.batch", batch -> {
                    throw new Unreadable();
                })
                .on("*", event -> {})
                .build();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            events.add(rig.event("good").build());
            events.add(rig.event("unreadable.handler").build());
            events.add(rig.event("unreadable.event").build());
            events.add(rig.event("unreadable.batch").build());
            events.add(rig.event("broken.policy").build());
        }
        pipeline.publish(events);
        rig.run(pipeline, Duration.ofHours(1), Duration.ofSeconds(30));
        assertThat(rig.heard.done).hasSize(20);
        assertThat(rig.letters()).hasSize(80);
        assertThat(rig.stats().claimed() + rig.stats().ready() + rig.stats().delayed())
                .isZero();
    }

    @Test
    void leases_are_kept_while_a_listener_blocks_the_pipelines_thread() throws InterruptedException {
        BlockingQueue<String> extended = new LinkedBlockingQueue<>();
        HookedStore store = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                T result = call.get();
                if (name.equals("extend")) {
                    extended.add(name);
                }
                return result;
            }
        };
        CountDownLatch handling = new CountDownLatch(1);
        Pipeline blocked = Pipeline.on(store)
                .time(rig.time)
                .node("node-1")
                .listener(blocking)
                .on("quick", event -> {})
                .on("slow", event -> {
                    handling.countDown();
                    release.await();
                })
                .start();
        blocked.publish(rig.event("slow").build());
        handling.await();
        blocked.publish(rig.event("quick").build());
        begun.await();
        Pipeline other = rig.pipeline()
                .node("node-2")
                .on("*", event -> rig.handled.add(event.name()))
                .build();
        for (int beat = 0; beat < 8; beat++) {
            extended.clear();
            rig.time.advance(Duration.ofSeconds(9));
            assertThat(extended.poll(20, TimeUnit.SECONDS)).isEqualTo("extend");
            other.drain();
        }
        assertThat(rig.handled).as("taken over although its lease is kept").isEmpty();
        assertThat(blocked.health().state()).isEqualTo(PipelineHealth.State.STUCK);
        assertThat(blocked.health().isHealthy()).isFalse();
        // Leases of a step that hangs for good run out at last.
        extended.clear();
        rig.time.advance(LoopWatch.LET_GO_AFTER);
        assertThat(extended.poll(3, TimeUnit.SECONDS)).isNull();
        rig.run(other, Duration.ofSeconds(40), Duration.ofSeconds(1));
        assertThat(rig.handled).containsExactly("slow");
        release.countDown();
        blocked.close();
        assertThat(blocked.health().isHealthy()).isTrue();
    }

    @Test
    void a_step_that_does_not_end_is_told_with_its_stack_and_then_every_minute() throws InterruptedException {
        BlockingQueue<PipelineListener.LoopStuck> told = new LinkedBlockingQueue<>();
        List<Thread> tellers = new CopyOnWriteArrayList<>();
        Listeners listeners = new Listeners(List.of(new PipelineListener() {
            @Override
            public void onLoopStuck(LoopStuck event) {
                tellers.add(Thread.currentThread());
                told.add(event);
            }
        }));
        ManualTime time = rig.time;
        LoopWatch watch = new LoopWatch(time);
        watch.stepBegins();
        time.advance(LoopWatch.STUCK_AFTER);
        watch.check(listeners, time.now());
        assertThat(watch.isStuck()).isFalse();
        time.advance(Duration.ofSeconds(1));
        watch.check(listeners, time.now());
        assertThat(watch.isStuck()).isTrue();
        assertThat(told.take()).satisfies(stuck -> {
            assertThat(stuck.since()).isEqualTo(LoopWatch.STUCK_AFTER.plusSeconds(1));
            assertThat(stuck.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(stuck.stack()).contains("a_step_that_does_not_end_is_told");
            assertThat(stuck.holdsLeases()).isTrue();
        });
        assertThat(tellers).as("a listener may block its caller").doesNotContain(Thread.currentThread());
        time.advance(LoopWatch.TOLD_EVERY.minusSeconds(1));
        for (int tick = 0; tick < 50; tick++) {
            watch.check(listeners, time.now());
            assertThat(told.poll(1, TimeUnit.MILLISECONDS)).isNull();
        }
        time.advance(LoopWatch.LET_GO_AFTER);
        PipelineListener.LoopStuck again = null;
        while (again == null) {
            // The second warning comes once the thread of the first has ended.
            watch.check(listeners, time.now());
            again = told.poll(10, TimeUnit.MILLISECONDS);
        }
        assertThat(again.holdsLeases()).isFalse();
        assertThat(watch.keepsLeases()).isFalse();
        watch.stepEnds();
        assertThat(watch.isStuck()).isFalse();
        time.advance(LoopWatch.TOLD_EVERY);
        watch.check(listeners, time.now());
        assertThat(told).isEmpty();
    }

    @Test
    void health_shows_whether_a_pipeline_was_started_runs_or_was_stopped() {
        Pipeline pipeline = rig.pipeline().on("*", event -> {}).build();
        assertThat(pipeline.health().state()).isEqualTo(PipelineHealth.State.NOT_STARTED);
        pipeline.start();
        assertThat(pipeline.health().state()).isEqualTo(PipelineHealth.State.RUNNING);
        pipeline.close();
        assertThat(pipeline.health().state()).isEqualTo(PipelineHealth.State.STOPPED);
    }

    @Test
    void leases_are_extended_also_while_their_settlement_is_under_way() {
        QueuedExecutor exchanges = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .exchangeExecutor(exchanges)
                .on("*", event -> rig.handled.add(event.name()))
                .build();
        pipeline.publish(rig.event("order.paid").build());
        while (rig.handled.isEmpty()) {
            pipeline.step();
            exchanges.runAll();
        }
        // The settlement is on its way to the store and takes longer than a lease.
        pipeline.step();
        assertThat(exchanges.waiting).hasSize(1);
        for (int seconds = 0; seconds < 60; seconds++) {
            rig.time.advance(Duration.ofSeconds(1));
            pipeline.step();
        }
        assertThat(rig.heard.recovered).as("leases that ran out").isEmpty();
        exchanges.runAll();
        pipeline.step();
        assertThat(rig.heard.done).hasSize(1);
        assertThat(rig.heard.stale).isEmpty();
    }

    @Test
    void an_extension_that_fails_is_told_once_and_tried_again_at_once() throws InterruptedException {
        BlockingQueue<String> extended = new LinkedBlockingQueue<>();
        AtomicBoolean failsOnce = new AtomicBoolean(true);
        HookedStore store = new HookedStore(rig.store) {
            @Override
            <T> T around(String name, Supplier<T> call) {
                if (name.equals("extend") && failsOnce.getAndSet(false)) {
                    throw new IllegalStateException("the store is away");
                }
                T result = call.get();
                if (name.equals("extend")) {
                    extended.add(name);
                }
                return result;
            }
        };
        CountDownLatch handled = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.on(store)
                .time(rig.time)
                .listener(rig.heard)
                .on("slow", event -> {
                    begun.countDown();
                    release.await();
                })
                .on("quick", event -> handled.countDown())
                .start()) {
            pipeline.publish(rig.event("slow").build());
            begun.await();
            rig.time.advance(Duration.ofSeconds(11));
            assertThat(extended.poll(20, TimeUnit.SECONDS)).isEqualTo("extend");
            pipeline.publish(rig.event("quick").build());
            assertThat(handled.await(20, TimeUnit.SECONDS)).isTrue();
            release.countDown();
        }
        assertThat(rig.heard.troubles).hasSize(1);
    }
}
