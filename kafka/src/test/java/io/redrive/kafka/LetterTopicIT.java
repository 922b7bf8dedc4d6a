package io.redrive.kafka;

import static io.redrive.kafka.FlowRig.bytes;
import static io.redrive.kafka.FlowRig.until;
import static io.redrive.kafka.TopicReader.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters of a store on topics of a real broker. */
final class LetterTopicIT {

    private final TestBroker broker = TestBroker.get();

    @TempDir
    Path folder;

    private KafkaBus bus() {
        return KafkaBus.builder()
                .bootstrap(broker.bootstrap())
                .client("max.block.ms", 1000)
                .open();
    }

    @Test
    void a_letter_is_sent_with_its_record_unchanged_and_the_facts_of_its_failure() throws Exception {
        SqliteStore store = SqliteStore.open(folder.resolve("store.db"));
        try (FlowRig rig = new FlowRig(1, store);
                KafkaBus bus = bus()) {
            broker.createTopic("dlq." + rig.topic, 1);
            LetterTopic sender = LetterTopic.of(store, bus)
                    .headers(LetterHeaders.standard().withGroup(rig.group).withSpringNames())
                    .start();
            rig.start(flow -> flow, pipeline -> pipeline.handle("order.paid", event -> Outcome.dead("no stöck")));
            byte[] binary = {(byte) 0xC3, 0x28};
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(rig.topic, 0, bytes("ann"), binary);
            record.headers().add("twice", bytes("1")).add("twice", null);
            broker.send(record);
            rig.awaitNoLag();
            until(() -> TopicReader.read(broker, "dlq." + rig.topic).size() == 1);
            until(() -> sender.waiting() == 0);
            sender.close();
            ConsumerRecord<byte[], byte[]> sent =
                    TopicReader.read(broker, "dlq." + rig.topic).get(0);
            assertThat(sent.key()).isEqualTo(bytes("ann"));
            assertThat(sent.value()).isEqualTo(binary);
            Header[] headers = sent.headers().toArray();
            assertThat(headers[0].key()).isEqualTo("twice");
            assertThat(headers[1].value()).isNull();
            assertThat(header(sent, "__dlq.errors.topic")).isEqualTo(rig.topic);
            assertThat(header(sent, "__dlq.errors.partition")).isEqualTo("0");
            assertThat(header(sent, "__dlq.errors.offset")).isEqualTo("0");
            assertThat(header(sent, "__dlq.errors.group")).isEqualTo(rig.group);
            assertThat(header(sent, "__dlq.errors.delivery.count")).isEqualTo("1");
            assertThat(header(sent, "__dlq.errors.message")).isEqualTo("no stöck");
            assertThat(header(sent, "redrive.reason")).isEqualTo("not_retryable");
            DeadLetter letter = rig.letters().get(0);
            assertThat(header(sent, "redrive.fingerprint")).isEqualTo(letter.fingerprint());
            assertThat(header(sent, "redrive.letter")).isEqualTo(String.valueOf(letter.id()));
            assertThat(ByteBuffer.wrap(sent.headers()
                                    .lastHeader("kafka_dlt-original-offset")
                                    .value())
                            .getLong())
                    .isZero();
            LetterReader.Builder reader = LetterReader.builder()
                    .bootstrap(broker.bootstrap())
                    .topics(List.of("dlq." + rig.topic))
                    .group("own-" + rig.topic);
            try (LetterReader own = reader.open()) {
                List<DeadLetter> letters = own.next(10);
                assertThat(letters).hasSize(1);
                assertThat(store.deadLetters().importLetters(letters, "ann", Instant.now()))
                        .as("a store does not import its own letters")
                        .isZero();
            }
        } finally {
            store.close();
        }
    }

    @Test
    void letters_wait_for_a_missing_topic_and_pass_the_others_by() throws Exception {
        EventStore store = new InMemoryEventStore();
        try (KafkaBus bus = bus()) {
            LetterTopic sender = LetterTopic.of(store, bus).prefix("later.").start();
            broker.createTopic("later.known", 1);
            bury(store, "unknown/0@1", "unknown/0@2", "known/0@1");
            until(() -> TopicReader.read(broker, "later.known").size() == 1);
            until(() -> sender.waiting() == 2);
            sender.close();
            broker.createTopic("later.unknown", 1);
            LetterTopic.forget(store);
            assertThat(sender.waiting()).isZero();
        }
    }

    @Test
    void letters_that_were_imported_and_events_that_never_were_records_are_not_sent() throws Exception {
        EventStore store = new InMemoryEventStore();
        try (KafkaBus bus = bus()) {
            LetterTopic sender = LetterTopic.of(store, bus).start();
            store.letterOutbox().open("all", Instant.now());
            broker.createTopic("every.letter", 1);
            LetterTopic all = LetterTopic.of(store, bus)
                    .outbox("all")
                    .topic("every.letter")
                    .start();
            store.publish(
                    List.of(
                            Event.named("order.paid")
                                    .source("shop")
                                    .text("plain")
                                    .build(),
                            Event.named("order.paid")
                                    .source("shop")
                                    .header(RecordEnvelope.PLACE, "unknown/0@1")
                                    .header(RecordEnvelope.LETTER_PLACE, "dlq.unknown/0@1")
                                    .build()),
                    Instant.now());
            bury(store);
            until(() -> sender.waiting() == 0 && all.waiting() == 0);
            sender.close();
            all.close();
            assertThat(TopicReader.read(broker, "every.letter"))
                    .extracting(record -> TopicReader.text(record.value()))
                    .containsExactly("plain");
        }
    }

    private static void bury(EventStore store, String... places) {
        for (String place : places) {
            store.publish(
                    List.of(Event.named("order.paid")
                            .source("shop")
                            .header(RecordEnvelope.PLACE, place)
                            .build()),
                    Instant.now());
        }
        long events = store.stats(Instant.now()).ready();
        Pipeline pipeline = Pipeline.on(store)
                .handle("order.paid", event -> Outcome.dead("no"))
                .start();
        until(() -> store.stats(Instant.now()).dead() == events);
        pipeline.close();
    }

    @Test
    void a_sender_without_a_target_is_refused() {
        EventStore store = new InMemoryEventStore();
        try (KafkaBus bus = bus()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LetterTopic.of(store, bus).prefix(" ").start())
                    .withMessageContaining("prefix")
                    .withMessageContaining("dlq.");
            assertThatIllegalStateException()
                    .isThrownBy(
                            () -> LetterTopic.of(store, bus).topic("no-such").start())
                    .withMessageContaining("no-such");
        }
    }
}
