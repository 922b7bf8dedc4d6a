package io.redrive.kafka;

import static io.redrive.kafka.FlowRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Letters of records that a store would refuse, and of records that Redrive wrote itself. */
final class FoundLettersTest {

    private static final int SMALL = 1_000;

    private final FoundLetters letters = new FoundLetters(RecordMapping.standard(), SMALL);

    private static KafkaRecord record(byte[] value, List<KafkaRecord.Header> headers) {
        return new KafkaRecord(
                "dlq.orders", 0, 4, Instant.EPOCH, Optional.of(bytes("ann")), Optional.of(value), headers);
    }

    private static List<KafkaRecord.Header> headers(String... namesAndValues) {
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new KafkaRecord.Header(namesAndValues[i], Optional.of(bytes(namesAndValues[i + 1]))));
        }
        return headers;
    }

    private static List<String> redacted(DeadLetter letter) {
        return DeadLetter.redactedParts(letter.event());
    }

    @Test
    void a_record_whose_headers_no_event_can_hold_is_a_letter_without_them() {
        String large = "x".repeat(Event.MAX_RECORD_LENGTH);
        DeadLetter letter = letters.letter(record(
                bytes("{}"),
                headers(
                        "ce_specversion",
                        "1.0",
                        "ce_type",
                        "order.sent",
                        "ce_id",
                        "7",
                        "ce_source",
                        "s",
                        "trace",
                        large)));
        assertThat(redacted(letter)).containsExactly("headers");
        assertThat(letter.event().name()).isEqualTo("order.sent");
        assertThat(letter.event().id()).isEqualTo("7");
        KafkaRecord record = KafkaRecord.of(letter.event()).orElseThrow();
        assertThat(record.place()).isEqualTo("dlq.orders/0@4");
        assertThat(record.value().orElseThrow()).isEqualTo(bytes("{}"));
        assertThat(record.headers()).isEmpty();
    }

    @Test
    void a_payload_above_the_limit_of_the_store_is_left_out_and_the_letter_says_so() {
        DeadLetter whole = letters.letter(record(new byte[SMALL], List.of()));
        assertThat(whole.event().payloadSize()).isEqualTo(SMALL);
        assertThat(whole.isRedacted()).isFalse();
        DeadLetter cut = letters.letter(record(new byte[SMALL + 1], headers("tenant", "blue")));
        assertThat(redacted(cut)).containsExactly("payload");
        assertThat(cut.event().payloadSize()).isZero();
        assertThat(cut.event().headers()).containsEntry("tenant", "blue");
        assertThat(KafkaRecord.of(cut.event()).orElseThrow().place()).isEqualTo("dlq.orders/0@4");
        DeadLetter both =
                letters.letter(record(new byte[SMALL + 1], headers("trace", "x".repeat(Event.MAX_RECORD_LENGTH))));
        assertThat(redacted(both)).containsExactly("payload", "headers");
    }

    @Test
    void a_letter_that_redrive_wrote_has_the_id_of_its_event_and_any_other_record_its_own_place() {
        List<KafkaRecord.Header> failure =
                headers("__dlq.errors.topic", "orders", "__dlq.errors.partition", "3", "__dlq.errors.offset", "70");
        assertThat(letters.letter(record(bytes("{}"), failure)).event().id()).isEqualTo("dlq.orders-0-4");
        failure.addAll(headers("redrive.letter", "12"));
        assertThat(letters.letter(record(bytes("{}"), failure)).event().id()).isEqualTo("orders-3-70");
    }
}
