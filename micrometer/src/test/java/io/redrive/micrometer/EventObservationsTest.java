package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.redrive.core.ManualTime;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.pipeline.EventHandler;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EventObservationsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> spans = new ArrayList<>();
    private String trace = "trace-1";

    EventObservationsTest() {
        registry.observationConfig()
                .observationHandler(new FakeTracer())
                .observationHandler(new DefaultMeterObservationHandler(meters));
    }

    /** Acts as a tracer: sends an id along, and continues an arriving id. */
    private final class FakeTracer implements ObservationHandler<Observation.Context> {
        @Override
        public void onStart(Observation.Context context) {
            if (context instanceof SenderContext<?> sender) {
                inject(sender);
            }
        }

        private <T> void inject(SenderContext<T> sender) {
            sender.getSetter().set(sender.getCarrier(), "traceparent", trace);
        }

        @Override
        public void onStop(Observation.Context context) {
            String parent = context instanceof ReceiverContext<?> receiver ? " of " + extract(receiver) : "";
            String error =
                    context.getError() == null ? "" : " " + context.getError().getMessage();
            spans.add(context.getContextualName() + parent + error);
        }

        private <T> String extract(ReceiverContext<T> receiver) {
            return receiver.getGetter().get(receiver.getCarrier(), "traceparent");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    private Pipeline.Builder pipeline(EventObservations observations) {
        return Pipeline.on(store).executor(Runnable::run).time(time).interceptor(observations);
    }

    private Event.Builder event() {
        return Event.named("order.paid")
                .id("17")
                .source("shop")
                .correlationId("c")
                .time(time);
    }

    private void run(Pipeline pipeline) {
        for (int i = 0; i < 10; i++) {
            pipeline.drain();
            time.advance(Duration.ofSeconds(5));
        }
    }

    private double handled(String outcome) {
        return meters.get("event.handle")
                .tags("service", "orders", "outcome", outcome)
                .timer()
                .count();
    }

    @Test
    void each_attempt_is_a_span_of_the_trace_that_published_and_so_is_the_dead_letter() {
        EventObservations observations = EventObservations.on(registry, "orders");
        Pipeline pipeline = pipeline(observations)
                .on("*", event -> {
                    throw new IllegalStateException("down");
                })
                .build();
        observations.publish(List.of(event().build()), pipeline::publish);
        trace = "trace-2";
        run(pipeline);
        assertThat(spans)
                .containsExactly(
                        "publish order.paid",
                        "handle order.paid of trace-1 down",
                        "handle order.paid of trace-1 down",
                        "handle order.paid of trace-1 down");
        DeadLetter letter = store.deadLetters().list(LetterFilter.ALL, 0, 1).get(0);
        assertThat(letter.event().headers()).containsEntry("traceparent", "trace-1");
        assertThat(handled("failed")).isEqualTo(3);
    }

    @Test
    void outcomes_are_told_apart() {
        EventObservations observations = EventObservations.on(registry, "orders");
        List<Outcome> outcomes = new ArrayList<>(List.of(
                Outcome.snooze(Duration.ofSeconds(1)),
                Outcome.retry("busy"),
                Outcome.done(),
                Outcome.dead("no"),
                Outcome.invalid(new IllegalArgumentException("bad"))));
        EventHandler handler = event -> outcomes.remove(0);
        Pipeline pipeline = pipeline(observations).handle("*", handler).build();
        for (String id : List.of("1", "2", "3")) {
            observations.publish(List.of(event().id(id).build()), pipeline::publish);
            run(pipeline);
        }
        assertThat(List.of(handled("snooze"), handled("retry"), handled("done"), handled("dead"), handled("invalid")))
                .containsOnly(1.0);
        assertThat(spans).contains("handle order.paid of trace-1 bad");
    }

    @Test
    void a_batch_is_one_separate_span() {
        EventObservations observations = EventObservations.on(registry, "orders");
        Pipeline pipeline = pipeline(observations).onBatch("*", batch -> {}).build();
        observations.publish(
                List.of(
                        event().id("1").build(),
                        event().id("2").build(),
                        event().id("3").build()),
                pipeline::publish);
        run(pipeline);
        assertThat(spans).containsExactly("publish order.paid and 2 more", "handle order.paid and 2 more");
    }

    @Test
    void headers_that_have_no_room_are_left_out() {
        EventObservations observations = EventObservations.on(registry, "orders");
        Event.Builder full = event();
        for (int i = 0; i < Event.MAX_HEADERS; i++) {
            full.header("h" + i, "x");
        }
        List<Event> published = new ArrayList<>();
        observations.publish(List.of(full.build()), published::addAll);
        trace = "x".repeat(Event.MAX_HEADER_LENGTH + 1);
        observations.publish(List.of(event().build()), published::addAll);
        assertThat(published)
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.headers()).doesNotContainKey("traceparent"));
    }

    @Test
    void without_observations_events_stay_as_they_are() {
        EventObservations observations = EventObservations.on(ObservationRegistry.NOOP, "orders");
        Pipeline pipeline =
                pipeline(observations).on("*", event -> spans.add("handled")).build();
        Event event = event().build();
        List<Event> published = new ArrayList<>();
        observations.publish(List.of(event), events -> {
            published.addAll(events);
            return pipeline.publish(events);
        });
        run(pipeline);
        assertThat(published.get(0)).isSameAs(event);
        assertThat(spans).containsExactly("handled");
    }
}
