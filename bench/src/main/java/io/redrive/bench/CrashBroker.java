package io.redrive.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A real broker (KRaft, one node) in a process of its own, which can be killed and started again with its data. */
final class CrashBroker implements AutoCloseable {

    /** How long a member of a group may be silent. */
    static final int SESSION_MS = 3_000;

    private static final long ANSWER_SECONDS = 90;

    private final Path folder;
    private final Path settings;
    private final String bootstrap;
    private final Admin admin;
    private Process process;

    CrashBroker(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        int client = freePort();
        int controller = freePort();
        bootstrap = "127.0.0.1:" + client;
        settings = Files.write(folder.resolve("server.properties"), settings(client, controller));
        String id = Uuid.randomUuid().toString();
        if (java("kafka.tools.StorageTool", "format", "-t", id, "-c", settings.toString())
                        .waitFor()
                != 0) {
            throw new IllegalStateException("the broker's folder could not be formatted, see " + folder);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::destroy));
        process = java("kafka.Kafka", settings.toString());
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        answer(admin.describeCluster().nodes());
    }

    private List<String> settings(int client, int controller) {
        return List.of(
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + controller,
                "listeners=PLAINTEXT://127.0.0.1:" + client + ",CONTROLLER://127.0.0.1:" + controller,
                "controller.listener.names=CONTROLLER",
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs=" + folder.resolve("logs"),
                "log.cleaner.backoff.ms=500",
                "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "transaction.state.log.num.partitions=1",
                "group.initial.rebalance.delay.ms=0",
                "group.min.session.timeout.ms=1000",
                "group.consumer.min.session.timeout.ms=1000",
                "group.consumer.session.timeout.ms=" + SESSION_MS,
                "group.consumer.min.heartbeat.interval.ms=300",
                "group.consumer.heartbeat.interval.ms=500",
                "auto.create.topics.enable=false");
    }

    private Process java(String mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("broker.log").toFile()))
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    String bootstrap() {
        return bootstrap;
    }

    /** Kills the broker with SIGKILL and starts a broker on the same data. */
    void killAndRestart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = java("kafka.Kafka", settings.toString());
        answer(admin.describeCluster().nodes());
    }

    void createTopic(String name, int partitions, Map<String, String> configuration) {
        answer(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(configuration)))
                .all());
        for (int partition = 0; partition < partitions; partition++) {
            end(new TopicPartition(name, partition));
        }
    }

    void deleteTopic(String name) {
        answer(admin.deleteTopics(List.of(name)).all());
    }

    void addPartitions(String topic, int total) {
        answer(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total)))
                .all());
    }

    /** Sets an offset as the tools of an operator do. */
    void reset(String group, TopicPartition partition, long offset) {
        answer(admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset)))
                .all());
    }

    long end(TopicPartition partition) {
        return answer(admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
                .offset();
    }

    /** Returns the records that the group has not finished. */
    long lag(String group, String topic, int partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
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
                Map.of("bootstrap.servers", bootstrap, "enable.auto.commit", "false"),
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

    private <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("no answer of the broker, alive: " + process.isAlive(), e);
        }
    }

    private void destroy() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() throws InterruptedException {
        admin.close();
        process.destroyForcibly().waitFor();
    }
}
