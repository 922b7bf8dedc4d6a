package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class HandledSampleRecorderTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:30Z");

    private final HandledSamples samples = new InMemoryEventStore().samples();

    @Test
    void a_minute_is_written_when_it_is_over_and_only_once() {
        HandledSampleRecorder recorder = recorder(1, UnaryOperator.identity());
        assertThat(recorder.isDue(START)).as("no event").isFalse();
        recorder.handled(event("a", "order.paid", ""), START);
        assertThat(recorder.isDue(START.plusSeconds(59))).isFalse();
        recorder.write(samples, START.plusSeconds(59));
        assertThat(samples.names(10)).isEmpty();
        assertThat(recorder.isDue(START.plusSeconds(60))).isTrue();
        recorder.write(samples, START.plusSeconds(60));
        assertThat(samples.newest("order.paid", 10)).hasSize(1);
        assertThat(recorder.isDue(START.plusSeconds(600))).isFalse();
    }

    @Test
    void a_clock_that_was_set_back_does_not_stop_the_writing() {
        HandledSampleRecorder recorder = recorder(1, UnaryOperator.identity());
        recorder.handled(event("a", "order.paid", ""), START);
        assertThat(recorder.isDue(START.minusSeconds(3_600))).isTrue();
    }

    @Test
    void the_end_of_a_process_writes_the_open_minute() {
        HandledSampleRecorder recorder = recorder(1, UnaryOperator.identity());
        recorder.handled(event("a", "order.paid", ""), START);
        recorder.writeAll(samples);
        recorder.writeAll(samples);
        assertThat(samples.newest("order.paid", 10)).hasSize(1);
    }

    @Test
    void every_event_of_a_minute_has_the_same_chance() {
        long seed = Long.getLong("redrive.seed", 20261117L);
        int events = 100;
        int rounds = 2_000;
        int[] chosen = new int[events];
        HandledSampleRecorder recorder = recorder(seed, UnaryOperator.identity());
        for (int round = 0; round < rounds; round++) {
            HandledSamples empty = new InMemoryEventStore().samples();
            for (int i = 0; i < events; i++) {
                recorder.handled(event("" + i, "order.paid", ""), START);
            }
            recorder.write(empty, START.plusSeconds(60));
            empty.newest("order.paid", 100)
                    .forEach(handled -> chosen[Integer.parseInt(handled.event().id())]++);
        }
        double expected = rounds * HandledSampleRecorder.PER_NAME / (double) events;
        // Six standard deviations: one false failure in half a billion.
        double tolerated = 6 * Math.sqrt(expected);
        for (int i = 0; i < events; i++) {
            assertThat((double) chosen[i])
                    .as("event %d, seed %d", i, seed)
                    .isBetween(expected - tolerated, expected + tolerated);
        }
    }

    @Test
    void memory_is_bounded_by_names_events_and_bytes() {
        HandledSampleRecorder recorder = recorder(1, UnaryOperator.identity());
        String payload = "x".repeat(5_000);
        for (int name = 0; name < HandledSamples.MAX_NAMES + 50; name++) {
            for (int i = 0; i < 3; i++) {
                recorder.handled(event("e-" + i, "order.n" + name, payload), START);
            }
        }
        recorder.write(samples, START.plusSeconds(60));
        long bytes = 0;
        List<String> names = samples.names(HandledSamples.MAX_NAMES);
        for (String name : names) {
            bytes += samples.newest(name, 10).stream()
                    .mapToLong(handled -> handled.event().payloadSize())
                    .sum();
        }
        assertThat(bytes)
                .isLessThanOrEqualTo(HandledSampleRecorder.MAX_BYTES)
                .isGreaterThan(HandledSampleRecorder.MAX_BYTES - HandledEvent.MAX_PAYLOAD);
    }

    @Test
    void a_million_names_keep_a_thousand() {
        HandledSampleRecorder recorder = recorder(1, UnaryOperator.identity());
        for (int name = 0; name < 3 * HandledSamples.MAX_NAMES; name++) {
            recorder.handled(event("e", "order.n" + name, ""), START);
        }
        recorder.write(samples, START.plusSeconds(60));
        assertThat(samples.names(HandledSamples.MAX_NAMES)).hasSize(HandledSamples.MAX_NAMES);
    }

    @Test
    void an_event_is_redacted_before_it_is_cut_and_the_secret_is_never_stored() {
        String secret = "4111-1111";
        HandledSampleRecorder recorder = recorder(
                1,
                event -> event.toBuilder()
                        .payload(
                                event.text().replace(secret, "[redacted]").getBytes(StandardCharsets.UTF_8),
                                event.contentType())
                        .header("authorization", "[redacted]")
                        .build());
        String longPayload = "x".repeat(HandledEvent.MAX_PAYLOAD - 4) + secret;
        recorder.handled(
                event("a", "order.paid", longPayload).toBuilder()
                        .header("authorization", secret)
                        .build(),
                START);
        recorder.writeAll(samples);
        HandledEvent kept = samples.newest("order.paid", 1).get(0);
        assertThat(kept.event().text()).endsWith("x[red").doesNotContain("4111");
        assertThat(kept.event().headers()).containsEntry("authorization", "[redacted]");
    }

    @Test
    void an_event_that_cannot_be_redacted_is_not_stored() {
        HandledSampleRecorder recorder = recorder(1, event -> {
            throw new IllegalStateException("a bad rule");
        });
        recorder.handled(event("a", "order.paid", "secret"), START);
        recorder.writeAll(samples);
        assertThat(samples.names(10)).isEmpty();
    }

    @Test
    void long_headers_are_cut_between_characters() {
        HandledEvent handled = HandledEvent.of(
                event("a", "order.paid", "").toBuilder()
                        .header("long", "x".repeat(HandledEvent.MAX_HEADER - 1) + "😀")
                        .build(),
                START,
                "node-1",
                Optional.empty());
        assertThat(handled.event().headers().get("long")).isEqualTo("x".repeat(HandledEvent.MAX_HEADER - 1));
        assertThat(handled.isCut()).isFalse();
    }

    @Test
    void a_handled_event_with_an_uncut_payload_is_refused() {
        Event event = event("a", "order.paid", "x".repeat(HandledEvent.MAX_PAYLOAD + 1));
        assertThatThrownBy(() -> new HandledEvent(event, 9_999, START, "node-1", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 4096 bytes");
        assertThatThrownBy(() -> HandledEvent.of(event, START, " ", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node");
    }

    private static HandledSampleRecorder recorder(long seed, UnaryOperator<Event> redaction) {
        return new HandledSampleRecorder("node-1", Optional.empty(), redaction, new Random(seed));
    }

    private static Event event(String id, String name, String payload) {
        return Event.named(name)
                .id(id)
                .source("shop")
                .payload(payload.getBytes(StandardCharsets.UTF_8), "text/plain")
                .build();
    }
}
