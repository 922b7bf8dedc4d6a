package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.kafka.KafkaFlow.PartitionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class KafkaMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final ManualTime time = new ManualTime();
    private final AtomicLong rows = new AtomicLong(3);
    private final AtomicReference<List<PartitionStatus>> partitions = new AtomicReference<>(List.of());
    private final AtomicReference<Optional<FlowReport>> flow = new AtomicReference<>(Optional.empty());

    /** Registers the meters and reads the gauge that finds the topics. */
    private void register() {
        KafkaMetrics.on(registry, "billing", store, partitions::get, rows::get, flow::get, time);
        assertThat(gauge("kafka.flow.partitions")).isEqualTo(partitions.get().size());
    }

    @Test
    void partitions_are_summed_by_topic_and_rows_are_counted() {
        partitions.set(List.of(
                new PartitionStatus("orders", 0, 10, 9, 7, 2, true, 100, 4),
                new PartitionStatus("orders", 1, 50, 50, 1, 0, false, 11, 0),
                new PartitionStatus("bills", 0, 1, 1, 3, 1, true, 5, 2)));
        register();
        assertThat(gauge("kafka.flow.lag", "orders")).isEqualTo(111);
        assertThat(gauge("kafka.flow.lag", "bills")).isEqualTo(5);
        assertThat(gauge("kafka.flow.open", "orders")).isEqualTo(8);
        assertThat(gauge("kafka.flow.held", "orders")).isEqualTo(2);
        assertThat(gauge("kafka.flow.held", "bills")).isEqualTo(1);
        assertThat(gauge("kafka.flow.blocked.keys", "orders")).isEqualTo(4);
        assertThat(gauge("kafka.flow.partitions.paused", "orders")).isEqualTo(1);
        rows.set(8);
        System.gc(); // a meter must not depend on an object that nobody else keeps
        assertThat(registry.get("kafka.flow.rows")
                        .tag("service", "billing")
                        .functionCounter()
                        .count())
                .isEqualTo(8);
        partitions.set(List.of());
        assertThat(gauge("kafka.flow.lag", "orders"))
                .as("after the partitions moved away")
                .isZero();
    }

    @Test
    void topics_without_number_share_one_tag() {
        partitions.set(IntStream.range(0, 2 * TopicMeters.MOST_TOPICS)
                .mapToObj(i -> new PartitionStatus("topic-" + i, 0, 0, 0, 0, 0, false, 1, 0))
                .toList());
        register();
        assertThat(registry.find("kafka.flow.lag").gauges()).hasSize(TopicMeters.MOST_TOPICS + 1);
        assertThat(gauge("kafka.flow.lag", TopicMeters.OTHERS)).isEqualTo(TopicMeters.MOST_TOPICS);
    }

    @Test
    void letters_are_counted_by_the_names_of_the_topic() {
        partitions.set(List.of(
                new PartitionStatus("orders", 0, 0, 0, 0, 0, false, 0, 0),
                new PartitionStatus("bills", 0, 0, 0, 0, 0, false, 0, 0)));
        register();
        assertThat(gauge("kafka.flow.letters", "orders")).as("names unknown").isNaN();
        bury("order.placed", "order.sent", "order.sent", "bill.paid", "other");
        flow.set(Optional.of(report(
                List.of(
                        TopicReport.of("bills", List.of(), List.of("bill.paid"), false),
                        TopicReport.of("orders", List.of(), List.of("order.placed", "order.sent"), false)),
                List.of())));
        time.advance(CachedStats.KEPT);
        assertThat(gauge("kafka.flow.letters", "orders")).isEqualTo(3);
        assertThat(gauge("kafka.flow.letters", "bills")).isEqualTo(1);
        bury("bill.paid");
        assertThat(gauge("kafka.flow.letters", "bills"))
                .as("kept for some seconds")
                .isEqualTo(1);
        time.advance(CachedStats.KEPT);
        assertThat(gauge("kafka.flow.letters", "bills")).isEqualTo(2);
    }

    private void bury(String... names) {
        for (String name : names) {
            store.publish(List.of(Event.named(name).source("shop").time(time).build()), time.now());
            Claim claim = store.claim(new ClaimRequest("n", Lane.DOMAIN, 1, false, Duration.ofMinutes(1), time.now()))
                    .get(0);
            AttemptRecord last = new AttemptRecord(
                    1, time.now(), "n", Duration.ZERO, "IOException", "reset", "dead", "max_attempts_exceeded");
            Settlement dead = new Settlement.Dead(claim, Reason.MAX_ATTEMPTS_EXCEEDED, last, "abcdef123456", "shop");
            assertThat(store.settle(List.of(dead), time.now())).isEmpty();
        }
    }

    @Test
    void paused_partitions_have_their_reason_and_the_brake_is_told() {
        register();
        assertThat(gauge("kafka.flow.brake")).isZero();
        flow.set(Optional.of(report(
                List.of(),
                List.of(
                        new PartitionReport("orders", 0, 1, 1, 1, 1, Optional.of(PauseReason.BRAKE)),
                        new PartitionReport("orders", 1, 1, 1, 1, 1, Optional.empty())))));
        assertThat(gauge("kafka.flow.brake")).isEqualTo(1);
        for (PauseReason reason : PauseReason.values()) {
            assertThat(registry.get("kafka.flow.paused")
                            .tag("reason", reason.code())
                            .gauge()
                            .value())
                    .as(reason.code())
                    .isEqualTo(reason == PauseReason.BRAKE ? 1 : 0);
        }
    }

    private static FlowReport report(List<TopicReport> topics, List<PartitionReport> partitions) {
        return new FlowReport(
                "billing",
                "orders",
                Instant.EPOCH,
                new FlowReport.Brake(!partitions.isEmpty(), 1, 2),
                topics,
                partitions,
                FlowReport.LeftOut.NONE);
    }

    private double gauge(String name) {
        return registry.get(name).tag("service", "billing").gauge().value();
    }

    private double gauge(String name, String topic) {
        return registry.get(name)
                .tag("service", "billing")
                .tag("topic", topic)
                .gauge()
                .value();
    }
}
