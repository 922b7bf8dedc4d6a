package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Records that break the rules of events. */
final class RecordReaderTest {

    private static final int LARGE = 1_600_000;

    private static ConsumerRecord<byte[], byte[]> record(byte[] key, RecordHeaders headers) {
        return new ConsumerRecord<>(
                "orders",
                0,
                17,
                0,
                TimestampType.CREATE_TIME,
                key == null ? 0 : key.length,
                5,
                key,
                "value".getBytes(StandardCharsets.UTF_8),
                headers,
                Optional.empty());
    }

    private static RecordReader.Read read(RecordMapping mapping, ConsumerRecord<byte[], byte[]> record) {
        return new RecordReader(TestSettings.with(mapping)).read(record, "billing/orders/0/");
    }

    @Test
    void a_record_whose_headers_are_too_large_is_a_marked_event_without_them() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("trace", "abc".getBytes(StandardCharsets.UTF_8));
        headers.add("blob", new byte[LARGE]);
        RecordReader.Read read = read(RecordMapping.standard(), record(null, headers));

        assertThat(read.unreadable())
                .contains(
                        "record orders/0@17 is no event: key and headers of a record must be at most 1500000 bytes, got");
        Event event = read.event();
        assertThat(event.text()).isEqualTo("value");
        assertThat(event.headers())
                .containsEntry(DeadLetter.REDACTED_HEADER, "headers")
                .containsEntry("kafka-place", "orders/0@17")
                .containsEntry("trace", "abc")
                .doesNotContainKey("blob");
    }

    @Test
    void a_record_whose_key_is_too_large_is_a_marked_event_without_the_key() {
        RecordReader.Read read = read(RecordMapping.standard(), record(new byte[LARGE], new RecordHeaders()));

        assertThat(read.unreadable()).contains("key and headers of a record must be at most");
        assertThat(KafkaRecord.of(read.event()).orElseThrow().key()).isEmpty();
        assertThat(DeadLetter.redactedParts(read.event())).containsExactly("headers");
    }

    @Test
    void a_record_on_which_the_mapping_recurses_too_deeply_is_unreadable() {
        RecordReader.Read read = read(
                record -> {
                    throw new StackOverflowError();
                },
                record(null, new RecordHeaders()));

        assertThat(read.unreadable()).contains("is no event: java.lang.StackOverflowError");
        assertThat(read.event().name()).isEqualTo("kafka.unreadable");
    }

    /** A letter of each record would be worse than a flow that waits. */
    @Test
    void a_class_that_the_process_misses_skips_no_record() {
        assertThatThrownBy(() -> read(
                        record -> {
                            throw new NoClassDefFoundError("shop/Order");
                        },
                        record(null, new RecordHeaders())))
                .isInstanceOf(NoClassDefFoundError.class);
    }
}
