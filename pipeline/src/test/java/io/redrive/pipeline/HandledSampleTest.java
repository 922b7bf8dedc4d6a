package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.EventStore;
import io.redrive.events.HandledEvent;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.testkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** While the journal of its store is on, a pipeline writes a sample of the events it has handled. */
class HandledSampleTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Rig rig = new Rig();
    private final InMemoryEventStore store = InMemoryEventStore.withJournal(Duration.ofHours(24));

    @Test
    void handled_events_are_sampled_with_node_version_and_time_and_dead_ones_are_not() {
        Pipeline pipeline = rig.pipelineOn(store)
                .version("2.4.1")
                .on("order.paid", event -> {})
                .handle("order.sent", event -> Outcome.dead("broken"))
                .build();
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.publish(rig.events("order.sent", 3));
        pipeline.drain();
        assertThat(store.samples().names(10)).as("the minute is not over").isEmpty();
        rig.run(pipeline, MINUTE, MINUTE);
        assertThat(store.samples().names(10)).containsExactly("order.paid");
        assertThat(store.samples().newest("order.paid", 10))
                .hasSize(3)
                .allMatch(handled -> handled.node().equals("node-1"))
                .allMatch(handled -> handled.version().orElseThrow().equals(new ServiceVersion("2.4.1")))
                .allMatch(handled -> handled.handledAt().equals(rig.time.now().minus(MINUTE)));
    }

    @Test
    void without_a_journal_nothing_is_sampled() {
        int[] asked = {0};
        EventStore off = new ForwardingStore(rig.store) {
            @Override
            protected <T> T forward(String call, Supplier<T> action) {
                asked[0] += call.equals("add samples") ? 1 : 0;
                return super.forward(call, action);
            }
        };
        Pipeline pipeline = rig.pipelineOn(off).on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.drain();
        rig.run(pipeline, MINUTE, MINUTE);
        pipeline.close();
        assertThat(asked[0]).isZero();
        assertThat(rig.store.samples().names(10)).isEmpty();
    }

    @Test
    void an_orderly_stop_writes_the_minute_that_is_not_over() {
        Pipeline pipeline = rig.pipelineOn(store).on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 2));
        pipeline.drain();
        pipeline.close();
        assertThat(store.samples().newest("order.paid", 10)).hasSize(2);
    }

    @Test
    void samples_leave_with_the_retention_of_the_journal() {
        Pipeline pipeline = rig.pipelineOn(store).on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 2));
        pipeline.drain();
        rig.run(pipeline, MINUTE, MINUTE);
        rig.run(pipeline, Duration.ofHours(23), Duration.ofHours(1));
        assertThat(store.samples().newest("order.paid", 10)).hasSize(2);
        rig.run(pipeline, Duration.ofHours(2), Duration.ofHours(1));
        assertThat(store.samples().names(10)).isEmpty();
    }

    @Test
    void samples_of_a_journal_that_was_switched_off_leave_after_a_week() {
        HandledEvent handled =
                HandledEvent.of(rig.events("order.paid", 1).get(0), rig.time.now(), "node-1", Optional.empty());
        rig.store.samples().add(List.of(handled));
        Pipeline pipeline =
                rig.pipelineOn(rig.store).on("order.paid", event -> {}).build();
        rig.run(pipeline, Duration.ofDays(6), Duration.ofHours(6));
        assertThat(rig.store.samples().names(10)).containsExactly("order.paid");
        rig.run(pipeline, Duration.ofDays(2), Duration.ofHours(6));
        assertThat(rig.store.samples().names(10)).isEmpty();
    }

    @Test
    void samples_of_a_journal_of_a_month_stay_for_more_than_a_week() {
        InMemoryEventStore month = InMemoryEventStore.withJournal(Duration.ofDays(30));
        Pipeline pipeline = rig.pipelineOn(month).on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 2));
        pipeline.drain();
        rig.run(pipeline, Duration.ofDays(9), Duration.ofHours(6));
        assertThat(month.samples().newest("order.paid", 10)).hasSize(2);
    }

    @Test
    void a_sample_that_cannot_be_written_waits_and_events_flow_meanwhile() {
        int[] tried = {0};
        boolean[] failing = {true};
        EventStore faulty = new ForwardingStore(store) {
            @Override
            protected <T> T forward(String call, Supplier<T> action) {
                if (call.equals("add samples")) {
                    tried[0]++;
                    if (failing[0]) {
                        throw new IllegalStateException("no table");
                    }
                }
                return super.forward(call, action);
            }
        };
        Pipeline pipeline = rig.pipelineOn(faulty).on("order.paid", event -> {}).build();
        pipeline.publish(rig.events("order.paid", 2));
        pipeline.drain();
        rig.time.advance(MINUTE);
        assertThatThrownBy(pipeline::drain).hasMessage("no table");
        pipeline.publish(rig.events("order.paid", 1));
        for (int i = 0; i < 9; i++) {
            rig.time.advance(Duration.ofSeconds(1));
            pipeline.drain();
        }
        assertThat(store.stats(rig.time.now()).ready()).isZero();
        assertThat(tried[0]).isEqualTo(1);
        failing[0] = false;
        rig.run(pipeline, MINUTE.multipliedBy(2), MINUTE);
        assertThat(store.samples().newest("order.paid", 10))
                .extracting(HandledEvent::isCut)
                .containsExactly(false, false, false);
    }
}
