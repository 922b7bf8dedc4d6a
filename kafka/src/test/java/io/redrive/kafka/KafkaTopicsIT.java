package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** Topics and groups of other kinds, above a real broker: patterns, changed topics, the protocol of KIP-848, static members. */
final class KafkaTopicsIT {

    private static final UnaryOperator<KafkaFlow.Builder> PLAIN = flow -> flow;

    private static UnaryOperator<Pipeline.Builder> into(Set<String> handled) {
        return pipeline -> pipeline.on("order.paid", event -> handled.add(event.text()));
    }

    @Test
    void a_pattern_reads_topics_that_are_created_later() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            EventStore store = rig.store;
            try (KafkaFlow flow = KafkaFlow.on(store)
                            .bootstrap(rig.broker.bootstrap())
                            .group(rig.group)
                            .topicPattern(rig.topic + "(-late)?")
                            .mapping(RecordMapping.named("order.paid"))
                            .client("metadata.max.age.ms", 500)
                            .open();
                    Pipeline pipeline = into(handled).apply(Pipeline.on(flow)).start()) {
                rig.send(0, null, "early");
                FlowRig.until(() -> handled.contains("early"));
                rig.broker.createTopic(rig.topic + "-late", 1);
                rig.broker.send(new ProducerRecord<>(rig.topic + "-late", 0, null, FlowRig.bytes("late")));
                FlowRig.until(() -> handled.contains("late"));
                assertThat(flow.describe()).contains("that match " + rig.topic);
                assertThat(pipeline).isNotNull();
            }
        }
    }

    @Test
    void missing_topics_are_created_when_asked_for() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            String created = rig.topic + "-created";
            rig.start(flow -> flow.topics(created).createTopics(3, 1), into(handled));
            rig.broker.send(new ProducerRecord<>(created, 2, null, FlowRig.bytes("in the third partition")));
            FlowRig.until(() -> handled.contains("in the third partition"));
        }
    }

    /** Offsets of the new topic begin at 0, below the offsets that were read before. */
    @Test
    void a_topic_that_is_deleted_and_created_again_is_read_from_its_new_beginning() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            rig.start(flow -> flow.client("metadata.max.age.ms", 500), into(handled));
            for (int i = 0; i < 20; i++) {
                rig.send(0, null, "old-" + i);
            }
            rig.awaitNoLag();
            rig.broker.deleteTopic(rig.topic);
            rig.broker.createTopic(rig.topic, 1);
            for (int i = 0; i < 5; i++) {
                rig.send(0, null, "new-" + i);
            }
            rig.broker.flush();
            FlowRig.until(() -> handled.size() == 25);
            rig.awaitNoLag();
        }
    }

    @Test
    void added_partitions_are_read_from_their_beginning() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            rig.start(flow -> flow.client("metadata.max.age.ms", 500), into(handled));
            rig.send(0, null, "first");
            FlowRig.until(() -> handled.contains("first"));
            rig.broker.addPartitions(rig.topic, 2);
            FlowRig.until(() -> {
                rig.send(1, null, "second");
                return handled.contains("second");
            });
        }
    }

    /** The successor of a killed static member is refused until the session of the dead member ends. */
    @Test
    void a_static_member_of_the_new_protocol_takes_over_from_its_dead_namesake() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            rig.send(0, null, "waiting");
            rig.broker.flush();
            CountDownLatch joined = new CountDownLatch(1);
            Thread dead = new Thread(() -> joinAndHang(rig, joined));
            dead.start();
            assertThat(joined.await(60, TimeUnit.SECONDS)).isTrue();
            UnaryOperator<KafkaFlow.Builder> successor =
                    flow -> withNewProtocol(rig).client("group.instance.id", "node-1");
            rig.start(successor, into(handled));
            FlowRig.until(() -> handled.contains("waiting"));
            rig.awaitNoLag();
            dead.join();
        }
    }

    private static KafkaFlow.Builder withNewProtocol(FlowRig rig) {
        return KafkaFlow.on(rig.store)
                .bootstrap(rig.broker.bootstrap())
                .group(rig.group)
                .topics(rig.topic)
                .mapping(RecordMapping.named("order.paid"))
                .client("group.protocol", "consumer");
    }

    /** Becomes the static member {@code node-1} and ends without leaving, as a killed process does. */
    private static void joinAndHang(FlowRig rig, CountDownLatch joined) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", rig.broker.bootstrap());
        settings.put("group.id", rig.group);
        settings.put("group.protocol", "consumer");
        settings.put("group.instance.id", "node-1");
        settings.put("enable.auto.commit", "false");
        settings.put("max.poll.interval.ms", "3000");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(rig.topic));
            while (consumer.assignment().isEmpty()) {
                consumer.poll(Duration.ofMillis(100));
            }
            joined.countDown();
            // A static member that closes stays in the group until its session ends.
        }
    }

    @Test
    void members_of_the_new_protocol_share_partitions_and_lose_nothing_when_one_leaves() throws Exception {
        try (FlowRig rig = new FlowRig(4, FlowRig.shared())) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            FlowRig.Member first = rig.start(flow -> withNewProtocol(rig), into(handled));
            FlowRig.Member second = rig.start(flow -> withNewProtocol(rig), into(handled));
            FlowRig.until(() -> first.flow().partitions().size() == 2
                    && second.flow().partitions().size() == 2);
            for (int i = 0; i < 400; i++) {
                rig.send(i % 4, null, "r" + i);
                if (i == 200) {
                    rig.broker.flush();
                    second.close();
                }
            }
            rig.awaitNoLag();
            assertThat(handled).hasSize(400);
        }
    }

    @Test
    void compacted_records_and_tombstones_are_handled_and_the_lag_ends_at_zero() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            String compacted = rig.topic + "-compacted";
            rig.broker.createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
            List<Boolean> tombstones = java.util.Collections.synchronizedList(new ArrayList<>());
            rig.broker.send(new ProducerRecord<>(compacted, 0, FlowRig.bytes("k"), FlowRig.bytes("v")));
            rig.broker.send(new ProducerRecord<>(compacted, 0, FlowRig.bytes("k"), null));
            rig.start(
                    flow -> flow.topics(compacted).orderedByKey(),
                    pipeline -> pipeline.on(
                            "order.paid",
                            event -> tombstones.add(
                                    KafkaRecord.of(event).orElseThrow().value().isEmpty())));
            FlowRig.until(() -> tombstones.size() == 2);
            assertThat(tombstones).containsExactly(false, true);
        }
    }

    @Test
    void offsets_that_compaction_removed_are_passed_and_the_lag_ends_at_zero() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            String compacted = rig.topic + "-gaps";
            rig.broker.createTopic(
                    compacted,
                    1,
                    Map.of(
                            "cleanup.policy", "compact",
                            "min.cleanable.dirty.ratio", "0.01",
                            "max.compaction.lag.ms", "100",
                            "segment.ms", "100"));
            for (int i = 0; i < 300; i++) {
                rig.broker.send(
                        new ProducerRecord<>(compacted, 0, FlowRig.bytes("k" + i % 10), FlowRig.bytes("v" + i)));
            }
            FlowRig.until(() -> {
                // Only segments that are not written to any more are compacted: a record begins the next one.
                rig.broker.send(new ProducerRecord<>(compacted, 0, FlowRig.bytes("tick"), FlowRig.bytes("t")));
                rig.broker.flush();
                return TopicReader.read(rig.broker, compacted).size() < 150;
            });
            Set<Long> handled = ConcurrentHashMap.newKeySet();
            rig.start(
                    flow -> flow.topics(compacted).orderedByKey(),
                    pipeline -> pipeline.on(
                            "order.paid",
                            event -> handled.add(
                                    KafkaRecord.of(event).orElseThrow().offset())));
            FlowRig.until(() -> rig.broker.lag(rig.group, List.of(new TopicPartition(compacted, 0))) == 0);
            assertThat(handled).as("records of the compacted topic").hasSizeLessThan(150);
            assertThat(TopicReader.read(rig.broker, compacted))
                    .extracting(record -> record.offset())
                    .isSubsetOf(handled);
        }
    }

    @Test
    void records_without_a_key_have_no_order_also_where_records_are_ordered_by_key() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            CountDownLatch both = new CountDownLatch(2);
            Set<Optional<String>> keys = ConcurrentHashMap.newKeySet();
            rig.send(0, null, "first");
            rig.send(0, null, "second");
            rig.send(0, "", "empty");
            rig.start(
                    KafkaFlow.Builder::orderedByKey,
                    pipeline -> pipeline.on("order.paid", event -> {
                        keys.add(event.orderingKey());
                        if (event.orderingKey().isEmpty()) {
                            both.countDown();
                            // Each handler waits for the other: one after the other would wait for ever.
                            assertThat(both.await(1, TimeUnit.MINUTES)).isTrue();
                        }
                    }));
            rig.awaitNoLag();
            assertThat(rig.letters()).isEmpty();
            assertThat(keys).hasSize(2).contains(Optional.empty());
        }
    }

    @Test
    void a_cloud_event_in_structured_form_keeps_its_name_and_all_bytes() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            String json = "{\"specversion\":\"1.0\",\"type\":\"order.sent\",\"source\":\"/shop\",\"id\":\"o-1\","
                    + "\"data\":{\"total\":12.50}}";
            Set<String> handled = ConcurrentHashMap.newKeySet();
            rig.broker.send(new ProducerRecord<byte[], byte[]>(
                    rig.topic,
                    0,
                    (byte[]) null,
                    json.getBytes(StandardCharsets.UTF_8),
                    List.of(new RecordHeader(
                            "content-type",
                            "application/cloudevents+json; charset=UTF-8".getBytes(StandardCharsets.UTF_8)))));
            rig.start(
                    PLAIN,
                    pipeline -> pipeline.on("order.sent", event -> {
                        handled.add(event.id() + " " + event.source() + " " + event.text());
                        assertThat(KafkaRecord.of(event)
                                        .flatMap(KafkaRecord::value)
                                        .map(String::new))
                                .isEqualTo(Optional.of(json));
                    }));
            FlowRig.until(() -> handled.size() == 1);
            assertThat(handled).containsExactly("o-1 /shop " + json);
        }
    }
}
