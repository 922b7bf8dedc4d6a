package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers of single events run each event in a separate call, on separate threads. */
@Timeout(60)
class SingleEventsTest {

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final CountDownLatch gate = new CountDownLatch(1);

    private static Event event(String name, Priority priority) {
        return Event.named(name)
                .source("test")
                .correlationId("c")
                .priority(priority)
                .build();
    }

    private static List<Event> events(String name, int count, Priority priority) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(event(name, priority));
        }
        return events;
    }

    @AfterEach
    void open() {
        gate.countDown();
    }

    @Test
    void an_event_that_blocks_holds_up_no_event_published_with_it() throws InterruptedException {
        CountDownLatch quick = new CountDownLatch(20);
        try (Pipeline pipeline = Pipeline.on(store)
                .on("order.slow", event -> gate.await())
                .on("order.quick", event -> quick.countDown())
                .start()) {
            List<Event> events = new ArrayList<>(List.of(event("order.slow", Priority.NORMAL)));
            events.addAll(events("order.quick", 20, Priority.NORMAL));
            pipeline.publish(events);
            assertThat(quick.await(30, TimeUnit.SECONDS)).isTrue();
            gate.countDown();
        }
    }

    @Test
    void an_event_that_blocks_holds_up_no_event_of_its_handler() throws InterruptedException {
        CountDownLatch quick = new CountDownLatch(20);
        try (Pipeline pipeline = Pipeline.on(store)
                .on("*", event -> {
                    if (event.name().equals("order.slow")) {
                        gate.await();
                    } else {
                        quick.countDown();
                    }
                })
                .start()) {
            List<Event> events = new ArrayList<>(events("order.quick", 10, Priority.NORMAL));
            events.add(event("order.slow", Priority.NORMAL));
            events.addAll(events("order.quick", 10, Priority.NORMAL));
            pipeline.publish(events);
            assertThat(quick.await(30, TimeUnit.SECONDS)).isTrue();
            gate.countDown();
        }
    }

    @Test
    void as_many_events_are_handled_at_once_as_the_profile_has_processors() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(Profile.STANDARD.processors());
        try (Pipeline pipeline = Pipeline.on(store)
                .on("*", event -> {
                    begun.countDown();
                    gate.await();
                })
                .start()) {
            pipeline.publish(events("order.paid", 10, Priority.NORMAL));
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            gate.countDown();
        }
    }

    @Test
    void critical_events_are_handled_while_all_normal_ones_block() throws InterruptedException {
        CountDownLatch critical = new CountDownLatch(5);
        try (Pipeline pipeline = Pipeline.on(store)
                .on("order.slow", event -> gate.await())
                .on("order.urgent", event -> critical.countDown())
                .start()) {
            pipeline.publish(events("order.slow", 50, Priority.NORMAL));
            pipeline.publish(events("order.urgent", 5, Priority.CRITICAL));
            assertThat(critical.await(30, TimeUnit.SECONDS)).isTrue();
            gate.countDown();
        }
    }

    @Test
    void a_validator_that_blocks_holds_up_no_other_event_and_no_lease() throws InterruptedException {
        CountDownLatch quick = new CountDownLatch(20);
        CountDownLatch second = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.on(store)
                .validate("order.slow", event -> gate.await())
                .on("order.later", event -> second.countDown())
                .on("*", event -> quick.countDown())
                .start()) {
            List<Event> events = new ArrayList<>(List.of(event("order.slow", Priority.NORMAL)));
            events.addAll(events("order.quick", 20, Priority.NORMAL));
            pipeline.publish(events);
            assertThat(quick.await(30, TimeUnit.SECONDS)).isTrue();
            pipeline.publish(event("order.later", Priority.NORMAL));
            assertThat(second.await(30, TimeUnit.SECONDS))
                    .as("the pipeline's thread goes on")
                    .isTrue();
            gate.countDown();
        }
    }

    @Test
    void threads_are_named_after_service_and_lane_and_let_the_process_end() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch handled = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.on(store)
                .service("orders")
                .on("*", event -> {
                    threads.add(Thread.currentThread());
                    handled.countDown();
                })
                .start()) {
            pipeline.publish(event("order.paid", Priority.HIGH));
            handled.await();
        }
        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread.getName()).startsWith("redrive-orders-critical-");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    // ---- Stepped by hand ----

    private final Rig rig = new Rig();

    @Test
    void sources_take_turns_when_handlers_are_slower_than_what_comes() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .executor(busy)
                .on("*", event -> rig.handled.add(event.source()))
                .build();
        pipeline.publish(rig.events("order.paid", 100));
        pipeline.publish(rig.event("order.paid").source("other").build());
        for (int i = 0; i < 3; i++) {
            pipeline.drain();
            busy.runAll();
        }
        assertThat(rig.handled.indexOf("other")).isBetween(0, 40);
    }

    @Test
    void a_validator_that_takes_too_long_is_a_failed_attempt_and_ends_as_timeout() {
        Pipeline pipeline = rig.pipeline()
                .validate("*", event -> rig.time.advance(Duration.ofSeconds(21)))
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        assertThat(rig.heard.retries).hasSize(1);
        rig.run(pipeline, Duration.ofSeconds(5), Duration.ofSeconds(1));
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(rig.handled).isEmpty();
    }

    @Test
    void an_event_whose_deadline_passes_while_it_waits_for_its_handler_is_not_begun() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline pipeline = rig.pipeline()
                .executor(busy)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        Instant deadline = rig.time.now().plusSeconds(5);
        pipeline.publish(rig.event("order.paid").deadline(deadline).build());
        pipeline.drain();
        rig.time.advance(Duration.ofSeconds(5));
        busy.runAll();
        pipeline.drain();
        assertThat(rig.handled).isEmpty();
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TTL_EXCEEDED);
        assertThat(rig.onlyLetter().lastError()).contains("deadline passed before it was handled");
    }

    @Test
    void a_handler_is_told_which_attempt_it_is_and_until_when() {
        List<Object> told = new ArrayList<>();
        Instant deadline = rig.time.now().plusSeconds(60);
        Pipeline pipeline = rig.pipeline()
                .on("order.*", (event, context) -> {
                    told.add(context.attempt());
                    told.add(context.lastDelay());
                    told.add(context.deadline());
                    if (context.attempt() < 2) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .build();
        pipeline.publish(rig.event("order.paid").deadline(deadline).build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(2), Duration.ofSeconds(1));
        assertThat(told)
                .containsExactly(
                        1, Duration.ZERO, Optional.of(deadline), 2, Duration.ofSeconds(1), Optional.of(deadline));
    }
}
