package io.redrive.kafka;

import static io.redrive.kafka.FlowRig.bytes;
import static io.redrive.kafka.FlowRig.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that move from a store to topics of a real broker. */
final class RelayIT {

    private static final int EVENTS = 1_200;
    private static final int KEYS = 40;
    private static int topics;

    private final TestBroker broker = TestBroker.get();
    private final String topic = newTopic();

    @TempDir
    Path folder;

    private static synchronized String newTopic() {
        String name = "relayed-" + ++topics;
        TestBroker.get().createTopic(name, 3, Map.of("max.message.bytes", "20000"));
        return name;
    }

    private KafkaBus.Builder bus() {
        return KafkaBus.builder().bootstrap(broker.bootstrap());
    }

    private static Event event(int number, String key) {
        return Event.named("order.paid")
                .id("event-" + number)
                .source("shop")
                .orderingKey(key)
                .text(key + "/" + number)
                .build();
    }

    @Test
    void a_killed_relay_loses_no_event_and_keeps_the_order_of_each_key() throws Exception {
        List<Event> events = new ArrayList<>();
        for (int number = 0; number < EVENTS; number++) {
            events.add(event(number, "key-" + number % KEYS));
        }
        try (SqliteStore store = SqliteStore.open(folder.resolve("store.db"))) {
            store.publish(events, Instant.now());
        }
        Process first = start();
        until(() -> sent() > EVENTS / 10);
        first.destroyForcibly().waitFor();
        Process second = start();
        try {
            until(() -> sent() >= EVENTS && seen().size() == EVENTS);
        } finally {
            second.destroyForcibly().waitFor();
        }
        Map<String, List<Integer>> byKey = new HashMap<>();
        Set<String> unseen = new LinkedHashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : TopicReader.read(broker, topic)) {
            String text = TopicReader.text(record.value());
            assertThat(TopicReader.text(record.key())).isEqualTo(text.substring(0, text.indexOf('/')));
            if (unseen.add(text)) {
                byKey.computeIfAbsent(TopicReader.text(record.key()), unused -> new ArrayList<>())
                        .add(Integer.parseInt(text.substring(text.indexOf('/') + 1)));
            }
        }
        assertThat(byKey).hasSize(KEYS);
        assertThat(byKey.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
    }

    /** Returns the number of records in the topic, which nobody reads as a group. */
    private long sent() {
        return broker.lag(
                "nobody",
                List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1), new TopicPartition(topic, 2)));
    }

    private Set<String> seen() {
        Set<String> seen = new HashSet<>();
        TopicReader.read(broker, topic).forEach(record -> seen.add(TopicReader.text(record.value())));
        return seen;
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RelayProcess.class.getName(),
                        broker.bootstrap(),
                        topic,
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("process.log").toFile()))
                .start();
    }

    @Test
    void a_relayed_event_is_the_same_event_behind_the_topic() {
        Event event = event(1, "ann").toBuilder()
                .correlationId("c-1")
                .header("Tenant", "blue\tgreen")
                .build();
        try (KafkaBus bus = bus().open()) {
            bus.publish(topic, event);
        }
        ConsumerRecord<byte[], byte[]> record = TopicReader.read(broker, topic).get(0);
        assertThat(TopicReader.header(record, "ce_id")).isEqualTo("event-1");
        assertThat(TopicReader.header(record, "content-type")).startsWith("text/plain");
        Event read =
                RecordMapping.standard().toEvent(RecordReader.recordOf(record)).build();
        assertThat(read).isEqualTo(event);
    }

    @Test
    void an_event_that_the_topic_refuses_is_a_letter_and_its_neighbours_pass() {
        EventStore store = new InMemoryEventStore();
        Event large = Event.named("order.paid")
                .source("shop")
                .text("x".repeat(50_000))
                .build();
        store.publish(List.of(event(1, "a"), large, event(2, "b")), Instant.now());
        try (KafkaBus bus = bus().mapping(EventMapping.plain()).open()) {
            relaying(store, bus.relay("order.*").to(topic), () -> {
                until(() -> letters(store).size() == 1);
                // A failed neighbour may make the client of Kafka write a record twice.
                until(() -> seen().size() == 2);
            });
        }
        assertThat(letters(store).get(0).event().id()).isEqualTo(large.id());
        assertThat(letters(store).get(0).reason()).isEqualTo(Reason.NOT_RETRYABLE);
        assertThat(TopicReader.read(broker, topic))
                .allSatisfy(record -> assertThat(record.headers()).isEmpty());
    }

    @Test
    void while_no_broker_answers_events_wait_in_the_store_and_spend_no_attempt() throws Exception {
        EventStore store = new InMemoryEventStore();
        store.publish(List.of(fromTopic("lost/0@7")), Instant.now());
        try (KafkaBus bus = KafkaBus.builder()
                .bootstrap("127.0.0.1:1")
                .client("max.block.ms", 200)
                .open()) {
            relaying(store, bus.relay("order.*").back(), () -> {
                until(() -> store.stats(Instant.now()).delayed() == 1);
            });
        }
        assertThat(letters(store)).isEmpty();
    }

    private static Event fromTopic(String place) {
        return event(1, "ann").toBuilder().header(RecordEnvelope.PLACE, place).build();
    }

    @Test
    void a_record_goes_back_to_its_topic_as_it_was_and_an_event_without_a_topic_is_a_letter() {
        EventStore store = new InMemoryEventStore();
        KafkaRecord record = new KafkaRecord(
                topic,
                0,
                4,
                Instant.now(),
                Optional.of(new byte[] {0, 1}),
                Optional.empty(),
                List.of(
                        new KafkaRecord.Header("a", Optional.of(bytes("1"))),
                        new KafkaRecord.Header("a", Optional.empty())));
        Event event = RecordEnvelope.wrap(RecordMapping.named("order.paid").toEvent(record), record)
                .build();
        store.publish(List.of(event, event(2, "b")), Instant.now());
        try (KafkaBus bus = bus().open()) {
            relaying(store, bus.relay("order.*").back(), () -> {
                until(() -> letters(store).size() == 1);
                until(() -> TopicReader.read(broker, topic).size() == 1);
            });
        }
        assertThat(letters(store).get(0).reason()).isEqualTo(Reason.INVALID_EVENT);
        assertThat(letters(store).get(0).lastError()).contains("did not come from a topic", "to(…)");
        KafkaRecord back = RecordReader.recordOf(TopicReader.read(broker, topic).get(0));
        assertThat(back.value()).isEmpty();
        assertThat(back.key().orElseThrow()).containsExactly(0, 1);
        assertThat(back.headers()).extracting(KafkaRecord.Header::name).containsExactly("a", "a");
        assertThat(back.headers().get(1).value()).isEmpty();
    }

    @Test
    void a_misspelled_topic_is_refused_and_not_created_unless_asked_for() throws Exception {
        Event event = Event.named("order.paid").source("shop").build();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            try (KafkaBus bus = bus().open()) {
                assertThatThrownBy(() -> bus.publish("typo", event))
                        .isInstanceOf(KafkaException.class)
                        .hasMessageContaining("the topic must exist, missing: typo")
                        .hasMessageContaining("brokersCreateTopics()");
                assertThat(admin.listTopics().names().get()).doesNotContain("typo");
            }
            try (KafkaBus bus = bus().brokersCreateTopics().open()) {
                bus.publish("typo", event);
                assertThat(admin.listTopics().names().get()).contains("typo");
            }
        }
    }

    @Test
    void settings_that_lose_repeat_or_reorder_records_and_missing_topics_are_refused() {
        Map.of(
                        "acks", "1",
                        "enable.idempotence", "false",
                        "retries", "0",
                        "transactional.id", "t",
                        "key.serializer", "x")
                .forEach((key, value) -> assertThatThrownBy(
                                () -> bus().client(key, value).open())
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("client setting " + key + " must")
                        .hasMessageContaining("got " + value));
        assertThatThrownBy(() -> KafkaBus.builder().open()).hasMessageContaining("bootstrap");
        assertThatThrownBy(() -> bus().client("max.in.flight.requests.per.connection", "9")
                        .open())
                .isInstanceOf(KafkaException.class);
        try (KafkaBus bus =
                bus().client("acks", "all").client("max.block.ms", 300).open()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> bus.relay("order.*").to("no-such-topic"))
                    .withMessageContaining("no-such-topic")
                    .withMessageContaining("create the topic");
            assertThatThrownBy(() -> bus.publish("no-such-topic", event(1, "a")))
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining("no-such-topic");
        }
    }

    private static void relaying(EventStore store, Relay relay, Runnable until) {
        Pipeline pipeline = relay.on(Pipeline.on(store)).start();
        try {
            until.run();
        } finally {
            pipeline.close();
        }
    }

    private static List<DeadLetter> letters(EventStore store) {
        return store.deadLetters().list(LetterFilter.ALL, 0, DeadLetters.MAX_PAGE);
    }
}
