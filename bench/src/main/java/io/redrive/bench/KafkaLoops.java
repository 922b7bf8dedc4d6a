package io.redrive.bench;

import io.redrive.bench.KafkaBroker.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Loops around the clients of Kafka, without any library. */
final class KafkaLoops {

    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaBroker broker;

    KafkaLoops(KafkaBroker broker) {
        this.broker = broker;
    }

    /** The limit: one thread polls, and commits the offsets of each poll. A failing record is skipped. */
    double bare(Topic topic, KafkaRun run) throws InterruptedException {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                broker.bootstrap(),
                "group.id",
                broker.newName("bare"),
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false,
                "isolation.level",
                "read_committed",
                "max.poll.records",
                2_000);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic.name()));
            while (!run.isDone()) {
                boolean any = false;
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    handle(record, run);
                    any = true;
                }
                if (any) {
                    consumer.commitAsync();
                }
            }
        }
        return run.perSecond();
    }

    /** A share group: each record is acknowledged, a failing record is rejected. */
    double share(Topic topic, KafkaRun run) throws InterruptedException {
        String group = broker.newName("share");
        broker.beginShareGroupAtFirst(group);
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                broker.bootstrap(),
                "group.id",
                group,
                "share.acknowledgement.mode",
                "explicit",
                "max.poll.records",
                2_000);
        try (KafkaShareConsumer<byte[], byte[]> consumer =
                new KafkaShareConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic.name()));
            while (!run.isDone()) {
                boolean any = false;
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    consumer.acknowledge(record, handle(record, run) ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT);
                    any = true;
                }
                if (any) {
                    consumer.commitAsync();
                }
            }
        }
        return run.perSecond();
    }

    private static boolean handle(ConsumerRecord<byte[], byte[]> record, KafkaRun run) {
        int index = KafkaBroker.index(record.value());
        boolean fails = run.begins(index);
        run.ends(index);
        return fails;
    }
}
