package io.redrive.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.KafkaFlow.PartitionStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Meters of the partitions that a process owns. Thread-safe.
 *
 * <table>
 * <caption>Meters, all with the tag {@code service}; {@code topic} has at most 100 values, further topics share {@code (others)}</caption>
 * <tr><th>name</th><th>kind</th><th>further tags</th></tr>
 * <tr><td>{@code kafka.flow.lag}</td><td>gauge, records of this process's partitions that are not finished</td><td>{@code topic}</td></tr>
 * <tr><td>{@code kafka.flow.open}</td><td>gauge, delivered records that are not finished</td><td>{@code topic}</td></tr>
 * <tr><td>{@code kafka.flow.held}</td><td>gauge, records that wait in memory for their next attempt</td><td>{@code topic}</td></tr>
 * <tr><td>{@code kafka.flow.blocked.keys}</td><td>gauge, keys whose records wait behind an event in the store</td><td>{@code topic}</td></tr>
 * <tr><td>{@code kafka.flow.partitions.paused}</td><td>gauge, partitions whose fetch is paused by a limit</td><td>{@code topic}</td></tr>
 * <tr><td>{@code kafka.flow.letters}</td><td>gauge, dead letters in the store, of the names that the events of the topic have; each
 *     process reports the whole store</td><td>{@code topic}</td></tr>
 * <tr><td>{@code kafka.flow.partitions}</td><td>gauge, partitions of this process</td><td></td></tr>
 * <tr><td>{@code kafka.flow.paused}</td><td>gauge, partitions whose fetch is paused</td><td>{@code reason}: {@code paused_name}, {@code
 *     brake} or {@code back_pressure}</td></tr>
 * <tr><td>{@code kafka.flow.brake}</td><td>gauge, 1 when the brake refused a row within the last 10 seconds, otherwise 0</td><td></td></tr>
 * <tr><td>{@code kafka.flow.rows}</td><td>counter of rows that went to the store: waiting events and dead letters</td><td></td></tr>
 * </table>
 *
 * <p>The meters of a topic are registered when {@code kafka.flow.partitions} is read for the first time while the process owns a
 * partition of the topic.
 */
public final class KafkaMetrics {

    private KafkaMetrics() {}

    /** Registers the meters of a flow. */
    public static void on(MeterRegistry registry, String service, KafkaFlow flow) {
        on(registry, service, flow, flow::partitions, flow::rows, flow::flow, Time.system());
    }

    /** Registers all meters; the store is asked for the numbers of letters. */
    static void on(
            MeterRegistry registry,
            String service,
            EventStore store,
            Supplier<List<PartitionStatus>> partitions,
            LongSupplier rows,
            Supplier<Optional<FlowReport>> flow,
            Time time) {
        Tags tags = Tags.of("service", service);
        TopicMeters topics =
                new TopicMeters(registry, tags, partitions, new TopicLetters(store.deadLetters(), flow, time));
        Gauge.builder("kafka.flow.partitions", () -> topics.read().size())
                .description("Partitions of this process")
                .tags(tags)
                .strongReference(true)
                .register(registry);
        // The counter refers to its object weakly, and only this method has the supplier: the function keeps it.
        FunctionCounter.builder("kafka.flow.rows", registry, unused -> rows.getAsLong())
                .description("Rows that went to the store")
                .tags(tags)
                .register(registry);
        onReport(registry, tags, flow);
    }

    private static void onReport(MeterRegistry registry, Tags tags, Supplier<Optional<FlowReport>> flow) {
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
}
