package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.HandledKeys;
import io.redrive.pipeline.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DuplicateRecordsTest {

    private final DuplicateRecords duplicates =
            DuplicateRecords.skippedBy(HandledKeys.inMemory(), Duration.ofHours(1), "orders");
    private int handled;

    private static Claim claim(String topic, long offset, String id) {
        KafkaRecord record = new KafkaRecord(
                topic,
                0,
                offset,
                Instant.EPOCH,
                Optional.empty(),
                Optional.of("a".getBytes(StandardCharsets.UTF_8)),
                List.of());
        Event event = RecordEnvelope.wrap(Event.named("order.paid").id(id).source("shop"), record)
                .build();
        return new Claim(event, -1 - offset, -1, Attempts.NONE, Instant.EPOCH, Duration.ZERO, 0);
    }

    private Outcome handle(Outcome outcome, Claim... claims) throws Exception {
        return duplicates.attempt(List.of(claims), () -> {
            handled++;
            return outcome;
        });
    }

    @Test
    void a_second_record_of_a_handled_event_is_done_without_its_handler() throws Exception {
        assertThat(handle(Outcome.done(), claim("orders", 1, "e-1"))).isEqualTo(Outcome.done());
        assertThat(handle(Outcome.done(), claim("orders", 2, "e-1"))).isEqualTo(Outcome.done());
        assertThat(handle(Outcome.done(), claim("orders", 3, "e-2"))).isEqualTo(Outcome.done());
        assertThat(handled).isEqualTo(2);
    }

    @Test
    void a_failed_event_is_handled_again() throws Exception {
        handle(Outcome.retry("not yet"), claim("orders", 1, "e-1"));
        handle(Outcome.dead("never"), claim("orders", 1, "e-1"));
        handle(Outcome.done(), claim("orders", 1, "e-1"));
        assertThat(handled).isEqualTo(3);
    }

    @Test
    void other_topics_events_without_a_record_and_batches_pass() throws Exception {
        handle(Outcome.done(), claim("other", 1, "e-1"));
        handle(Outcome.done(), claim("other", 2, "e-1"));
        Claim published = new Claim(
                Event.named("order.paid").id("e-1").source("shop").build(),
                1,
                1,
                Attempts.NONE,
                Instant.EPOCH,
                Duration.ZERO,
                0);
        handle(Outcome.done(), published);
        handle(Outcome.done(), published);
        handle(Outcome.done(), claim("orders", 1, "e-1"), claim("orders", 2, "e-1"));
        handle(Outcome.done(), claim("orders", 1, "e-1"), claim("orders", 2, "e-1"));
        assertThat(handled).isEqualTo(6);
    }

    @Test
    void settings_that_skip_nothing_are_refused() {
        HandledKeys keys = HandledKeys.inMemory();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DuplicateRecords.skippedBy(keys, Duration.ofDays(1)))
                .withMessageContaining("named topics, got none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DuplicateRecords.skippedBy(keys, Duration.ZERO, "orders"))
                .withMessageContaining("keptFor must be longer than zero, got PT0S");
    }
}
