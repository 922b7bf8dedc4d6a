package io.redrive.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.redrive.kafka.KafkaFlow.PartitionStatus;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The gauges of topics. A topic is registered when a partition of the topic is seen, and its gauges stay, with zero, afterwards. */
final class TopicMeters {

    /** The most topics with gauges of their own: a pattern may match any number. */
    static final int MOST_TOPICS = 100;

    static final String OTHERS = "(others)";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Supplier<List<PartitionStatus>> partitions;
    private final TopicLetters letters;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    TopicMeters(MeterRegistry registry, Tags tags, Supplier<List<PartitionStatus>> partitions, TopicLetters letters) {
        this.registry = registry;
        this.tags = tags;
        this.partitions = partitions;
        this.letters = letters;
    }

    /** Returns the partitions of this process, and registers topics that were not seen before. */
    List<PartitionStatus> read() {
        List<PartitionStatus> owned = partitions.get();
        for (PartitionStatus partition : owned) {
            if (!known.contains(partition.topic())) {
                String tag = known.size() < MOST_TOPICS ? partition.topic() : OTHERS;
                if (known.add(tag)) {
                    register(tag);
                }
            }
        }
        return owned;
    }

    private void register(String topic) {
        gauge("kafka.flow.lag", "Records that are not finished", topic, PartitionStatus::lag);
        gauge("kafka.flow.open", "Delivered records that are not finished", topic, PartitionStatus::open);
        gauge("kafka.flow.held", "Records that wait in memory", topic, PartitionStatus::held);
        gauge("kafka.flow.blocked.keys", "Keys that wait for the store", topic, PartitionStatus::blockedKeys);
        gauge("kafka.flow.partitions.paused", "Paused partitions", topic, partition -> partition.paused() ? 1 : 0);
        if (!topic.equals(OTHERS)) {
            Gauge.builder("kafka.flow.letters", () -> letters.count(topic))
                    .description("Dead letters of the names of the topic's events")
                    .tags(tags.and("topic", topic))
                    .strongReference(true)
                    .register(registry);
        }
    }

    private void gauge(String name, String description, String topic, ToLongFunction<PartitionStatus> value) {
        Gauge.builder(name, () -> sum(topic, value))
                .description(description)
                .tags(tags.and("topic", topic))
                .strongReference(true)
                .register(registry);
    }

    private long sum(String topic, ToLongFunction<PartitionStatus> value) {
        return partitions.get().stream()
                .filter(each -> topic.equals(known.contains(each.topic()) ? each.topic() : OTHERS))
                .mapToLong(value)
                .sum();
    }
}
