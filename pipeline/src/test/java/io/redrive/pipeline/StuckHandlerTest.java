package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that ignore interrupts, with real threads and a clock that the test moves. */
@Timeout(60)
class StuckHandlerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<String> handled = new CopyOnWriteArrayList<>();

    private void ignoreInterrupts(Event event) {
        handled.add(event.id());
        if (event.name().equals("order.stuck")) {
            begun.countDown();
            while (release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    // Like a handler that ignores interrupts.
                }
            }
        }
    }

    private Pipeline pipeline() {
        Profile one = new Profile(
                SECOND,
                50,
                1,
                1,
                20,
                Profile.STANDARD.critical(),
                Profile.STANDARD.domain(),
                Duration.ofSeconds(25),
                Duration.ofSeconds(20),
                3);
        return rig.pipeline()
                .executor(threads)
                .profile(one)
                .on("*", this::ignoreInterrupts)
                .build();
    }

    private Pipeline withStuckHandler() throws InterruptedException {
        Pipeline pipeline = pipeline();
        pipeline.publish(rig.event("order.stuck").build());
        pipeline.drain();
        begun.await();
        rig.run(pipeline, Duration.ofSeconds(20), SECOND);
        return pipeline;
    }

    @AfterEach
    void end() {
        release.countDown();
        threads.shutdownNow();
    }

    @Test
    void a_handler_that_runs_on_after_its_limit_is_told_once_and_then_each_minute() throws InterruptedException {
        Pipeline pipeline = withStuckHandler();
        assertThat(rig.heard.stuck).as("it may still be on its way out").isEmpty();
        rig.run(pipeline, Duration.ofSeconds(5), SECOND);
        assertThat(rig.heard.stuck).singleElement().satisfies(stuck -> {
            assertThat(stuck.events()).extracting(Event::id).containsExactly("e1");
            assertThat(stuck.running()).isGreaterThan(Duration.ofSeconds(20));
            assertThat(stuck.stack())
                    .extracting(StackTraceElement::getMethodName)
                    .contains("ignoreInterrupts");
        });
        rig.run(pipeline, Duration.ofMinutes(2), SECOND);
        assertThat(rig.heard.stuck).hasSize(3);
    }

    @Test
    void its_slot_is_replaced_and_its_event_is_not_begun_again() throws InterruptedException {
        Pipeline pipeline = withStuckHandler();
        pipeline.publish(rig.events("order.next", 3));
        pipeline.drain();
        assertThat(handled).as("one processor, and that is busy").containsExactly("e1");
        rig.time.advance(Duration.ofSeconds(2));
        while (rig.heard.done.size() < 3) {
            pipeline.step();
        }
        rig.run(pipeline, Duration.ofMinutes(5), SECOND);
        assertThat(handled).containsExactlyInAnyOrder("e1", "e2", "e3", "e4");
        assertThat(rig.stats().claimed()).isEqualTo(1);
    }

    @Test
    void monitoring_sees_it_until_it_returns() throws InterruptedException {
        Pipeline pipeline = withStuckHandler();
        rig.run(pipeline, Duration.ofSeconds(40), SECOND);
        assertThat(rig.heard.workloads.get(rig.heard.workloads.size() - 1)).satisfies(load -> {
            assertThat(load.busy()).isEqualTo(1);
            assertThat(load.stuck()).isEqualTo(1);
            assertThat(load.oldestClaimed()).isGreaterThan(Duration.ofSeconds(50));
        });
        assertThat(rig.heard.alerts).extracting(PipelineListener.Alert::name).containsExactly("stuck_handlers");
        release.countDown();
        while (rig.heard.retries.isEmpty()) {
            pipeline.step();
        }
        assertThat(rig.heard.retries.get(0).errorType()).isEqualTo("timeout");
        rig.run(pipeline, Duration.ofMinutes(2), SECOND);
        assertThat(rig.heard.alerts).hasSize(2);
        assertThat(rig.heard.alerts.get(1).raised()).isFalse();
    }

    @Test
    void an_event_that_comes_back_while_its_first_handler_runs_waits_for_it() throws InterruptedException {
        Pipeline pipeline = withStuckHandler();
        // The process stalls for longer than its lease, and another node recovers the event: this node claims it again.
        rig.time.advance(Duration.ofSeconds(60));
        assertThat(rig.store.recover(rig.time.now())).isEqualTo(1);
        rig.run(pipeline, Duration.ofSeconds(30), SECOND);
        assertThat(handled).containsExactly("e1");
        release.countDown();
        while (handled.size() < 2) {
            rig.run(pipeline, SECOND, SECOND);
        }
        assertThat(handled).containsExactly("e1", "e1");
    }

    @Test
    void stuck_handlers_are_replaced_by_no_more_than_there_are_slots() throws InterruptedException {
        Pipeline pipeline = withStuckHandler();
        pipeline.publish(rig.events("order.stuck", 3));
        while (handled.size() < 2) {
            rig.run(pipeline, SECOND, SECOND);
        }
        rig.run(pipeline, Duration.ofMinutes(2), SECOND);
        assertThat(handled).as("one processor, and one in its place").hasSize(2);
    }
}
