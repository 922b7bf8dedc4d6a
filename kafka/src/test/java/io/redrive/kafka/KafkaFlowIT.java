package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.redrive.core.Reason;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.pipeline.Pipeline;
import io.redrive.testkit.FaultyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A pipeline above topics of a real broker. */
final class KafkaFlowIT extends FlowContract {

    @Override
    FlowRig rig(int partitions) {
        return new FlowRig(partitions, FlowRig.shared());
    }

    @Test
    void handled_records_move_offsets_and_leave_no_row() throws Exception {
        try (FlowRig rig = new FlowRig(3)) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 900; i++) {
                rig.send(i % 3, "k" + i, "v" + i);
            }
            rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> handled.add(event.text())));
            rig.awaitNoLag();
            rig.broker.requireComplete(rig.topic, rig.topicPartitions());
            assertThat(handled).hasSize(900);
            assertThat(rig.letters()).isEmpty();
            assertThat(rig.store.stats(Instant.now()).ready()).isZero();
        }
    }

    @Test
    void aborted_records_are_not_handled_and_the_lag_ends_at_zero() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", rig.broker.bootstrap(), "transactional.id", rig.topic),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            producer.initTransactions();
            for (int i = 0; i < 6; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(rig.topic, 0, null, FlowRig.bytes("t" + i)));
                if (i % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.flush();
                    producer.abortTransaction();
                }
            }
            rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> handled.add(event.text())));
            rig.awaitNoLag();
            assertThat(handled).containsExactlyInAnyOrder("t0", "t2", "t4");
        }
    }

    @Test
    void a_second_process_above_a_store_of_one_machine_waits_outside_and_the_first_goes_on() throws Exception {
        try (FlowRig rig = new FlowRig(2)) {
            Set<String> first = ConcurrentHashMap.newKeySet();
            Set<String> second = ConcurrentHashMap.newKeySet();
            FlowRig.Member member =
                    rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> first.add(event.text())));
            FlowRig.until(() -> member.flow().partitions().size() == 2);
            FlowRig.Member newcomer =
                    rig.start(flow -> flow, pipeline -> pipeline.on("order.paid", event -> second.add(event.text())));
            FlowRig.until(
                    () -> newcomer.flow().flow().orElseThrow().sources().startsWith("nothing while the group has"));
            rig.send(0, null, "a");
            rig.awaitNoLag();
            assertThat(first).containsExactly("a");
            assertThat(rig.broker.members(rig.group)).isEqualTo(1);
            member.close();
            rig.send(1, null, "b");
            rig.awaitNoLag();
            assertThat(second).containsExactly("b");
        }
    }

    @Test
    void a_store_that_fails_delays_records_and_loses_none() throws Exception {
        EventStore store = new InMemoryEventStore();
        FaultyStore faulty = FaultyStore.failing(store, 3, FaultyStore.Moment.AFTER);
        try (FlowRig rig = new FlowRig(1, faulty)) {
            Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();
            for (int i = 0; i < 20; i++) {
                rig.send(0, null, (i % 4 == 0 ? "bad-" : "good-") + i);
            }
            rig.start(flow -> flow, pipeline -> pipeline.handle("order.paid", event -> handle(handled, event.text())));
            rig.awaitNoLag();
            assertThat(handled).hasSize(20);
            assertThat(rig.letters()).hasSize(5);
            assertThat(faulty.hasFailed()).isTrue();
        }
    }

    @Test
    void records_that_are_no_events_become_letters_and_names_without_handlers_wait_in_the_store() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            Set<String> handled = ConcurrentHashMap.newKeySet();
            rig.send(0, null, "unmappable");
            rig.send(0, null, "other");
            rig.send(0, null, "paid");
            RecordMapping mapping = record -> {
                String text = new String(record.value().orElseThrow(), java.nio.charset.StandardCharsets.UTF_8);
                if (text.equals("unmappable")) {
                    throw new IllegalArgumentException("no order number");
                }
                return RecordMapping.named("order." + text).toEvent(record);
            };
            rig.start(
                    flow -> flow.mapping(mapping),
                    pipeline -> pipeline.on("order.paid", event -> handled.add(event.text())));
            rig.awaitNoLag();
            FlowRig.until(() -> rig.letters().size() == 1);
            assertThat(handled).containsExactly("paid");
            assertThat(rig.letters().get(0).reason()).isEqualTo(Reason.INVALID_EVENT);
            assertThat(rig.letters().get(0).lastError()).contains("no order number");
            FlowRig.until(() -> rig.store.setAside(10, Instant.now()).size() == 1);
            assertThat(rig.store.setAside(10, Instant.now()).get(0).name()).isEqualTo("order.other");
        }
    }

    @Test
    void a_flow_that_cannot_work_is_refused_at_the_start() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> rig.flow().topics(rig.topic, "missing").open())
                    .withMessageContaining("missing: missing");
            assertThatIllegalStateException()
                    .isThrownBy(() -> KafkaFlow.on(new InMemoryEventStore(Duration.ofHours(1), 1_000))
                            .bootstrap(rig.broker.bootstrap())
                            .group(rig.group)
                            .topics(rig.topic)
                            .open())
                    .withMessageContaining("max.message.bytes");
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            rig.flow().client("enable.auto.commit", "true").open())
                    .withMessageContaining("enable.auto.commit must not be set");
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> KafkaFlow.on(rig.store).group("g").topics("t").open())
                    .withMessageContaining("bootstrap");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rig.flow().topics().open())
                    .withMessageContaining("topics or a pattern of topics, got neither");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rig.flow().topicPattern("orders.*").open())
                    .withMessageContaining("got both");
            try (KafkaFlow flow = rig.flow().open()) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() ->
                                Pipeline.on(flow).on("order.paid", event -> {}).start())
                        .withMessageContaining("lease of the profile must be at most PT5.999S")
                        .withMessageContaining("got PT25S");
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rig.flow().maxRecords(0).open())
                    .withMessageContaining("maxRecords must be at least 1, got 0");
        }
    }
}
