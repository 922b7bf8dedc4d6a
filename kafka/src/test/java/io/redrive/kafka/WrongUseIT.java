package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Mistakes of newcomers, and what they are told. */
final class WrongUseIT {

    @Test
    void a_flow_without_a_group_says_how_to_set_one() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KafkaFlow.on(rig.store)
                            .bootstrap(rig.broker.bootstrap())
                            .topics(rig.topic)
                            .open())
                    .withMessageContaining("group must be 1 to 200 characters, got 0")
                    .withMessageContaining("set group(");
        }
    }

    @Test
    void an_address_that_is_none_is_refused_and_an_address_without_a_broker_is_named() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rig.flow().bootstrap("no address").open())
                    .withMessageContaining("no address");
            assertThatThrownBy(() -> rig.flow()
                            .bootstrap("127.0.0.1:1")
                            .client("request.timeout.ms", 500)
                            .client("default.api.timeout.ms", 1_000)
                            .open())
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining("no broker answers at bootstrap servers 127.0.0.1:1");
        }
    }

    @Test
    void a_pattern_that_matches_no_topic_says_so_and_waits() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                LogLines lines = new LogLines(TopicCheck.class)) {
            KafkaFlow.on(rig.store)
                    .bootstrap(rig.broker.bootstrap())
                    .group(rig.group)
                    .topicPattern(rig.topic.substring(0, 3))
                    .open()
                    .close();
            assertThat(lines.all())
                    .singleElement()
                    .asString()
                    .contains("no topic has a name that matches ord", "must match the whole name");
        }
    }

    @Test
    void a_second_member_above_a_store_of_one_machine_says_why_nothing_is_handled() throws Exception {
        try (FlowRig rig = new FlowRig(2);
                LogLines lines = new LogLines(ConsumerFailures.class)) {
            rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> {}));
            rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> {}));
            FlowRig.until(() -> lines.all().stream()
                    .anyMatch(line -> line.contains("must have one member") && line.contains("use PostgreSQL")));
        }
    }

    /** The event has the name of its topic, and the handler another one: the records wait in the store. */
    @Test
    void a_handler_whose_name_no_record_has_is_reported_with_the_names_that_wait() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                LogLines lines = new LogLines(Pipeline.class.getPackageName())) {
            rig.send(0, null, "a");
            rig.start(
                    flow -> flow.mapping(RecordMapping.standard()), pipeline -> pipeline.on("order.paid", event -> {}));
            FlowRig.until(() -> lines.all().stream().anyMatch(line -> line.contains("'" + rig.topic + "'")));
            assertThat(rig.store.setAside(10, Instant.now())).hasSize(1);
        }
    }

    @Test
    void a_client_with_read_rights_alone_reads_and_a_client_without_rights_is_told_what_is_missing() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                LogLines lines = new LogLines(TopicCheck.class)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> asReader(rig).open())
                    .withMessageContaining("missing: " + rig.topic)
                    .withMessageContaining("grant Describe");
            assertThatThrownBy(() -> asReader(rig)
                            .client("sasl.jaas.config", TestBroker.LOGIN + " username=\"reader\" password=\"wrong\";")
                            .open())
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining("Authentication failed");
            rig.broker.allow(rig.topic, rig.group);
            rig.send(0, null, "a");
            Set<String> handled = ConcurrentHashMap.newKeySet();
            rig.start(flow -> asReader(rig), pipeline -> pipeline.on("order.paid", event -> handled.add(event.text())));
            FlowRig.until(() -> handled.contains("a"));
            assertThat(lines.all()).singleElement().asString().contains("grant DescribeConfigs");
        }
    }

    private static KafkaFlow.Builder asReader(FlowRig rig) {
        return rig.flow()
                .bootstrap(rig.broker.secured())
                .client("security.protocol", "SASL_PLAINTEXT")
                .client("sasl.mechanism", "PLAIN")
                .client(
                        "sasl.jaas.config",
                        TestBroker.LOGIN + " username=\"reader\" password=\"" + TestBroker.PASSWORD + "\";");
    }

    /** Compressed, the record fits into its topic, and its neighbour must not wait behind it. */
    @Test
    void a_record_with_headers_above_the_limit_is_a_letter_and_ends_no_flow() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of(
                                "bootstrap.servers",
                                rig.broker.bootstrap(),
                                "compression.type",
                                "gzip",
                                "max.request.size",
                                10_000_000),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            rig.topic,
                            0,
                            null,
                            null,
                            FlowRig.bytes("large"),
                            List.of(new RecordHeader("blob", new byte[2_000_000]))))
                    .get();
            rig.send(0, null, "a");
            Set<String> handled = ConcurrentHashMap.newKeySet();
            rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> handled.add(event.text())));
            rig.awaitNoLag();
            assertThat(handled).containsExactly("a");
            FlowRig.until(() -> rig.letters().size() == 1);
            DeadLetter letter = rig.letters().get(0);
            assertThat(letter.lastError()).contains("key and headers of a record must be at most 1500000 bytes");
            assertThat(letter.isRedacted()).isTrue();
        }
    }

    @Test
    void records_that_a_topic_deleted_and_offsets_that_are_gone_are_told() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                Admin admin = Admin.create(Map.of("bootstrap.servers", rig.broker.bootstrap()));
                LogLines lines = new LogLines(LostRecords.class)) {
            for (int value = 0; value < 10; value++) {
                rig.send(0, null, "v" + value);
            }
            rig.broker.flush();
            TopicPartition partition = new TopicPartition(rig.topic, 0);
            admin.alterConsumerGroupOffsets(rig.group, Map.of(partition, new OffsetAndMetadata(2)))
                    .all()
                    .get();
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(6)))
                    .all()
                    .get();
            Set<String> handled = ConcurrentHashMap.newKeySet();
            FlowRig.Member first =
                    rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> handled.add(event.text())));
            rig.awaitNoLag();
            assertThat(handled).containsExactlyInAnyOrder("v6", "v7", "v8", "v9");
            FlowRig.until(() -> lines.all().stream()
                    .anyMatch(line -> line.contains("up to 4 records of partition " + partition + " are lost")));
            first.close();
            FlowRig.until(() -> rig.broker.members(rig.group) == 0);
            admin.deleteConsumerGroups(List.of(rig.group)).all().get();
            rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> handled.add(event.text())));
            FlowRig.until(() -> lines.all().stream().anyMatch(line -> line.contains("the group was deleted")));
        }
    }

    /** Both members of a group saw that the topic was missing. */
    @Test
    void a_topic_that_another_member_has_just_created_is_no_error() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                Admin admin = Admin.create(Map.of("bootstrap.servers", rig.broker.bootstrap()))) {
            EventStore store = rig.store;
            FlowSettings settings = new FlowSettings(
                    rig.group,
                    List.of(rig.topic),
                    Optional.empty(),
                    Optional.of(new FlowSettings.NewTopics(1, (short) 1)),
                    RecordMapping.standard(),
                    false,
                    Duration.ZERO,
                    1,
                    1,
                    1,
                    1,
                    Map.of("bootstrap.servers", rig.broker.bootstrap()),
                    Duration.ofSeconds(6));
            new TopicCheck(settings, store).create(admin, Set.of(rig.topic));
            assertThat(rig.broker.end(new TopicPartition(rig.topic, 0))).isZero();
        }
    }
}
