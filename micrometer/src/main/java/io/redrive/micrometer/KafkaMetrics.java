package io.redrive.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.KafkaFlow.PartitionStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Meters of the partitions that a process owns, summed over the partitions. Thread-safe.
 *
 * <table>
 * <caption>Meters, all with the tag {@code service}</caption>
 * <tr><th>name</th><th>kind</th><th>further tags</th></tr>
 * <tr><td>{@code kafka.flow.lag}</td><td>gauge, records of this process's partitions that are not finished</td><td></td></tr>
 * <tr><td>{@code kafka.flow.open}</td><td>gauge, delivered records that are not finished</td><td></td></tr>
 * <tr><td>{@code kafka.flow.held}</td><td>gauge, records that wait in memory for their next attempt</td><td></td></tr>
 * <tr><td>{@code kafka.flow.blocked.keys}</td><td>gauge, keys whose records wait behind an event in the store</td><td></td></tr>
 * <tr><td>{@code kafka.flow.partitions}, {@code kafka.flow.partitions.paused}</td>
 *     <td>gauge, partitions of this process, and those whose fetch is paused by a limit</td><td></td></tr>
 * <tr><td>{@code kafka.flow.paused}</td><td>gauge, partitions whose fetch is paused</td><td>{@code reason}: {@code paused_name}, {@code
 *     brake} or {@code back_pressure}</td></tr>
 * <tr><td>{@code kafka.flow.brake}</td><td>gauge, 1 when the brake refused a row within the last 10 seconds, otherwise 0</td><td></td></tr>
 * <tr><td>{@code kafka.flow.rows}</td><td>counter of rows that went to the store: waiting events and dead letters</td><td></td></tr>
 * </table>
 */
public final class KafkaMetrics {

    private KafkaMetrics() {}

    /** Registers the meters of a flow. */
    public static void on(MeterRegistry registry, String service, KafkaFlow flow) {
        on(registry, service, flow::partitions, flow::rows);
        onReport(registry, service, flow::flow);
    }

    static void onReport(MeterRegistry registry, String service, Supplier<Optional<FlowReport>> flow) {
        Tags tags = Tags.of("service", service);
        for (PauseReason reason : PauseReason.values()) {
            Gauge.builder("kafka.flow.paused", () -> paused(flow.get(), reason))
                    .description("Paused partitions by reason")
                    .tags(tags.and("reason", reason.code()))
                    .strongReference(true)
                    .register(registry);
        }
        Gauge.builder(
                        "kafka.flow.brake",
                        () -> flow.get()
                                .filter(report -> report.brake().isOn())
                                .map(report -> 1)
                                .orElse(0))
                .description("1 while the brake refuses rows")
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private static long paused(Optional<FlowReport> flow, PauseReason reason) {
        return flow.stream()
                .flatMap(report -> report.partitions().stream())
                .filter(partition -> partition.pause().equals(Optional.of(reason)))
                .count();
    }

    static void on(
            MeterRegistry registry, String service, Supplier<List<PartitionStatus>> partitions, LongSupplier rows) {
        Tags tags = Tags.of("service", service);
        Sums sums = new Sums(registry, tags, partitions);
        sums.gauge("kafka.flow.lag", "Records that are not finished", PartitionStatus::lag);
        sums.gauge("kafka.flow.open", "Delivered records that are not finished", PartitionStatus::open);
        sums.gauge("kafka.flow.held", "Records that wait in memory", PartitionStatus::held);
        sums.gauge("kafka.flow.blocked.keys", "Keys that wait for the store", PartitionStatus::blockedKeys);
        sums.gauge("kafka.flow.partitions", "Partitions of this process", partition -> 1);
        sums.gauge("kafka.flow.partitions.paused", "Paused partitions", partition -> partition.paused() ? 1 : 0);
        // The counter refers to its object weakly, and only this method has the supplier: the function keeps it.
        FunctionCounter.builder("kafka.flow.rows", registry, unused -> rows.getAsLong())
                .description("Rows that went to the store")
                .tags(tags)
                .register(registry);
    }

    /** Registers gauges that are sums over the partitions. */
    private record Sums(MeterRegistry registry, Tags tags, Supplier<List<PartitionStatus>> partitions) {

        void gauge(String name, String description, ToLongFunction<PartitionStatus> value) {
            Gauge.builder(name, () -> partitions.get().stream().mapToLong(value).sum())
                    .description(description)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        }
    }
}
