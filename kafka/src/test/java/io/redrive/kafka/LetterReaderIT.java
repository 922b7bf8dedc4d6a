package io.redrive.kafka;

import static io.redrive.kafka.FlowRig.bytes;
import static io.redrive.kafka.FlowRig.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveRequest;
import io.redrive.pipeline.Pipeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

/** Dead letters that other systems wrote to topics of a real broker. */
final class LetterReaderIT {

    private static int topics;

    private final TestBroker broker = TestBroker.get();
    private final String topic = newTopic();

    private static synchronized String newTopic() {
        String name = "foreign.letters-" + ++topics;
        TestBroker.get().createTopic(name, 1);
        return name;
    }

    private LetterReader.Builder reader() {
        return LetterReader.builder()
                .bootstrap(broker.bootstrap())
                .topics(List.of(topic))
                .group("import-" + topic);
    }

    /** Sends a record whose headers are pairs of name and text. */
    private void send(String... headers) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 0, bytes("ann"), bytes("{}"));
        record.headers().add("tenant", bytes("blue"));
        for (int i = 0; i < headers.length; i += 2) {
            record.headers().add(headers[i], bytes(headers[i + 1]));
        }
        broker.send(record);
        broker.flush();
    }

    private List<DeadLetter> readAll() {
        try (LetterReader reader = reader().open()) {
            List<DeadLetter> all = new ArrayList<>();
            for (List<DeadLetter> page = reader.next(2); !page.isEmpty(); page = reader.next(2)) {
                all.addAll(page);
            }
            return all;
        }
    }

    private static KafkaRecord original(DeadLetter letter) {
        return KafkaRecord.of(letter.event()).orElseThrow();
    }

    @Test
    void letters_of_five_systems_and_of_none_are_read_with_their_records_as_they_were() {
        send(
                "__dlq.errors.topic", "orders",
                "__dlq.errors.partition", "3",
                "__dlq.errors.offset", "70",
                "__dlq.errors.group", "billing",
                "__dlq.errors.delivery.count", "5",
                "__dlq.errors.message", "no stock",
                "redrive.reason", "timeout",
                "redrive.fingerprint", "abcdef123456",
                "redrive.letter", "12");
        send(
                "__streams.errors.exception", "java.io.IOException: reset",
                "__streams.errors.message", "reset",
                "__streams.errors.stacktrace", "at …",
                "__streams.errors.topic", "clicks",
                "__streams.errors.partition", "1",
                "__streams.errors.offset", "8");
        send(
                "__connect.errors.topic", "rows",
                "__connect.errors.partition", "2",
                "__connect.errors.offset", "9",
                "__connect.errors.connector.name", "sink",
                "__connect.errors.exception.class.name", "org.apache.kafka.connect.errors.DataException",
                "__connect.errors.exception.message", "not a struct");
        send(
                "dead-letter-exception-class-name", "java.lang.IllegalStateException",
                "dead-letter-reason", "closed",
                "dead-letter-topic", "movies",
                "dead-letter-partition", "0",
                "dead-letter-offset", "4");
        send();
        List<DeadLetter> letters = readAll();
        assertThat(letters)
                .extracting(letter -> original(letter).place())
                .containsExactly("orders/3@70", "clicks/1@8", "rows/2@9", "movies/0@4", topic + "/0@4");
        assertThat(letters)
                .extracting(letter -> letter.event().name())
                .containsExactly("orders", "clicks", "rows", "movies", topic);
        assertThat(letters)
                .extracting(DeadLetter::errorType)
                .containsExactly("unknown", "IOException", "DataException", "IllegalStateException", "unknown");
        assertThat(letters)
                .extracting(DeadLetter::lastError)
                .containsExactly("no stock", "reset", "not a struct", "closed", "");
        assertThat(letters)
                .extracting(DeadLetter::service)
                .containsExactly("billing", "clicks", "sink", "movies", topic);
        assertThat(letters.get(0).reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(letters.get(0).fingerprint()).isEqualTo("abcdef123456");
        assertThat(letters.get(0).attempts().failed()).isEqualTo(5);
        assertThat(letters).allSatisfy(letter -> {
            assertThat(original(letter).headers())
                    .extracting(KafkaRecord.Header::name)
                    .containsExactly("tenant");
            assertThat(original(letter).key().orElseThrow()).isEqualTo(bytes("ann"));
        });
    }

    @Test
    void headers_that_lie_make_no_letter_unreadable() {
        send(
                "__dlq.errors.topic", "no such\u0000topic!",
                "__dlq.errors.partition", "99999999999999999999",
                "__dlq.errors.offset", "-1",
                "__dlq.errors.group", "a\u0000b",
                "__dlq.errors.delivery.count", "many",
                "redrive.reason", "because",
                "redrive.fingerprint", "\u0000");
        send("ce_specversion", "7.0", "ce_id", "x");
        List<DeadLetter> letters = readAll();
        assertThat(letters)
                .extracting(letter -> original(letter).place())
                .containsExactly(topic + "/0@0", topic + "/0@1");
        assertThat(letters.get(0).service()).isEqualTo("a b");
        assertThat(letters.get(0).attempts().failed()).isEqualTo(1);
        assertThat(letters.get(0).reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
        assertThat(letters.get(0).fingerprint()).matches("[0-9a-f]{12}");
    }

    @Test
    void a_letter_of_spring_is_imported_once_and_goes_back_to_its_topic_when_it_is_redriven() {
        String orders = topic + ".orders";
        broker.createTopic(orders, 2);
        ConsumerRecord<byte[], byte[]> failed = new ConsumerRecord<>(orders, 1, 300, bytes("ann"), bytes("{\"n\":1}"));
        failed.headers().add("tenant", bytes("blue"));
        DefaultKafkaProducerFactory<byte[], byte[]> factory = new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new ByteArraySerializer(), new ByteArraySerializer());
        new DeadLetterPublishingRecoverer(new KafkaTemplate<>(factory), (record, error) -> new TopicPartition(topic, 0))
                .accept(
                        failed,
                        null,
                        new ListenerExecutionFailedException(
                                "listener failed", "billing", new IllegalStateException("no such order")));
        factory.destroy();
        EventStore store = new InMemoryEventStore();
        assertThat(importInto(store, reader())).isEqualTo(1);
        assertThat(importInto(store, reader())).as("the group continues").isZero();
        assertThat(importInto(store, reader().fromBeginning(true)))
                .as("the place is known")
                .isZero();
        DeadLetter letter = store.deadLetters().list(LetterFilter.ALL, 0, 10).get(0);
        assertThat(original(letter).place()).isEqualTo(orders + "/1@300");
        assertThat(letter.errorType()).isEqualTo("IllegalStateException");
        assertThat(letter.lastError()).contains("no such order");
        assertThat(letter.service()).isEqualTo("billing");
        store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 10, "b", "ann", false, Instant.now()));
        try (KafkaBus bus = KafkaBus.builder().bootstrap(broker.bootstrap()).open()) {
            Pipeline pipeline = bus.relay(letter.event().name())
                    .back()
                    .on(Pipeline.on(store))
                    .start();
            until(() -> !TopicReader.read(broker, orders).isEmpty());
            pipeline.close();
        }
        ConsumerRecord<byte[], byte[]> back = TopicReader.read(broker, orders).get(0);
        assertThat(back.value()).isEqualTo(failed.value());
        assertThat(back.key()).isEqualTo(failed.key());
        assertThat(back.headers()).extracting(Header::key).containsExactly("tenant");
    }

    private static int importInto(EventStore store, LetterReader.Builder settings) {
        int imported = 0;
        try (LetterReader reader = settings.open()) {
            for (List<DeadLetter> page = reader.next(50); !page.isEmpty(); page = reader.next(50)) {
                imported += store.deadLetters().importLetters(page, "ann", Instant.now());
                reader.commit();
            }
        }
        return imported;
    }

    @Test
    void missing_settings_and_topics_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LetterReader.builder().topics(List.of("a")).open())
                .withMessageContaining("bootstrap");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LetterReader.builder().bootstrap(broker.bootstrap()).open())
                .withMessageContaining("topics");
        assertThatIllegalStateException()
                .isThrownBy(() -> reader().topics(List.of("no-such")).open())
                .withMessageContaining("no-such");
    }
}
