package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.kafka.KafkaFlow.PartitionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class KafkaMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void partitions_are_summed_and_rows_are_counted() {
        AtomicLong rows = new AtomicLong(3);
        KafkaMetrics.on(
                registry,
                "billing",
                () -> List.of(
                        new PartitionStatus("orders", 0, 10, 9, 7, 2, true, 100, 4),
                        new PartitionStatus("orders", 1, 50, 50, 1, 0, false, 11, 0)),
                rows::get);
        assertThat(gauge("kafka.flow.lag")).isEqualTo(111);
        assertThat(gauge("kafka.flow.open")).isEqualTo(8);
        assertThat(gauge("kafka.flow.held")).isEqualTo(2);
        assertThat(gauge("kafka.flow.blocked.keys")).isEqualTo(4);
        assertThat(gauge("kafka.flow.partitions")).isEqualTo(2);
        assertThat(gauge("kafka.flow.partitions.paused")).isEqualTo(1);
        rows.set(8);
        System.gc(); // a meter must not depend on an object that nobody else keeps
        assertThat(registry.get("kafka.flow.rows")
                        .tag("service", "billing")
                        .functionCounter()
                        .count())
                .isEqualTo(8);
    }

    @Test
    void paused_partitions_have_their_reason_and_the_brake_is_told() {
        AtomicReference<Optional<FlowReport>> flow = new AtomicReference<>(Optional.empty());
        KafkaMetrics.onReport(registry, "billing", flow::get);
        assertThat(gauge("kafka.flow.brake")).isZero();
        flow.set(Optional.of(new FlowReport(
                "billing",
                "orders",
                Instant.EPOCH,
                new FlowReport.Brake(true, 1, 2),
                List.of(),
                List.of(
                        new PartitionReport("orders", 0, 1, 1, 1, 1, Optional.of(PauseReason.BRAKE)),
                        new PartitionReport("orders", 1, 1, 1, 1, 1, Optional.empty())),
                FlowReport.LeftOut.NONE)));
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

    private double gauge(String name) {
        return registry.get(name).tag("service", "billing").gauge().value();
    }
}
