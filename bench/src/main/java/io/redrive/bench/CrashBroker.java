package io.redrive.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The broker of {@link KafkaCrashSuite}: sessions of groups are short, and an operator changes topics and offsets. */
final class CrashBroker implements AutoCloseable {

    /** How long a member of a group may be silent. */
    static final int SESSION_MS = 3_000;

    private final BrokerProcess process;
    private final Admin admin;

    CrashBroker(Path folder) throws IOException, InterruptedException {
        process = new BrokerProcess(
                folder,
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                List.of(
                        "log.cleaner.backoff.ms=500",
                        "transaction.state.log.num.partitions=1",
                        "group.min.session.timeout.ms=1000",
                        "group.consumer.min.session.timeout.ms=1000",
                        "group.consumer.session.timeout.ms=" + SESSION_MS,
                        "group.consumer.min.heartbeat.interval.ms=300",
                        "group.consumer.heartbeat.interval.ms=500"));
        admin = process.admin();
    }

    String bootstrap() {
        return process.bootstrap();
    }

    /** Kills the broker with SIGKILL and starts a broker on the same data. */
    void killAndRestart() throws IOException, InterruptedException {
        process.killAndRestart();
    }

    void createTopic(String name, int partitions, Map<String, String> configuration) {
        process.createTopic(name, partitions, configuration);
    }

    void deleteTopic(String name) {
        process.answer(admin.deleteTopics(List.of(name)).all());
    }

    void addPartitions(String topic, int total) {
        process.answer(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total)))
                .all());
    }

    /** Sets an offset as the tools of an operator do. */
    void reset(String group, TopicPartition partition, long offset) {
        process.answer(admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset)))
                .all());
    }

    long end(TopicPartition partition) {
        return process.end(partition);
    }

    /** Returns the records that the group has not finished. */
    long lag(String group, String topic, int partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                process.answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        long lag = 0;
        for (int number = 0; number < partitions; number++) {
            TopicPartition partition = new TopicPartition(topic, number);
            OffsetAndMetadata offset = committed.get(partition);
            lag += end(partition) - (offset == null ? 0 : offset.offset());
        }
        return lag;
    }

    /** Reads the whole topic: the values of its records, as texts. */
    Set<String> texts(String topic, int partitions) {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
        Set<String> texts = new HashSet<>();
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", process.bootstrap(), "enable.auto.commit", "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            reader.assign(all);
            reader.seekToBeginning(all);
            Map<TopicPartition, Long> ends = reader.endOffsets(all);
            while (all.stream().anyMatch(each -> reader.position(each) < ends.get(each))) {
                reader.poll(Duration.ofMillis(100))
                        .forEach(record -> texts.add(new String(record.value(), StandardCharsets.UTF_8)));
            }
        }
        return texts;
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
