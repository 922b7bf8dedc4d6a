package io.redrive.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A real broker (KRaft, one node) in a process of its own, and the records of the benchmarks. */
final class KafkaBroker implements AutoCloseable {

    static final int PARTITIONS = 8;
    private static final int VALUE_BYTES = 300;
    private static final long ANSWER_SECONDS = 90;

    private final Process process;
    private final String bootstrap;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicInteger names = new AtomicInteger();

    private KafkaBroker(Process process, String bootstrap) {
        this.process = process;
        this.bootstrap = bootstrap;
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", 1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    static KafkaBroker start(Path folder) throws Exception {
        int client = freePort();
        int controller = freePort();
        Path settings =
                Files.write(folder.resolve("server.properties"), settings(folder.resolve("logs"), client, controller));
        int formatted = java(
                        folder,
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        Uuid.randomUuid().toString(),
                        "-c",
                        settings.toString())
                .waitFor();
        if (formatted != 0) {
            throw new IllegalStateException(
                    "the broker's folder could not be formatted: " + Files.readString(folder.resolve("broker.log")));
        }
        Process process = java(folder, "kafka.Kafka", settings.toString());
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        KafkaBroker broker = new KafkaBroker(process, "127.0.0.1:" + client);
        broker.answer(broker.admin.describeCluster().nodes());
        return broker;
    }

    private static List<String> settings(Path logs, int client, int controller) {
        return List.of(
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + controller,
                "listeners=PLAINTEXT://127.0.0.1:" + client + ",CONTROLLER://127.0.0.1:" + controller,
                "controller.listener.names=CONTROLLER",
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs=" + logs,
                "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "share.coordinator.state.topic.replication.factor=1",
                "share.coordinator.state.topic.min.isr=1",
                "share.coordinator.state.topic.num.partitions=1",
                "group.initial.rebalance.delay.ms=0",
                "auto.create.topics.enable=false");
    }

    private static Process java(Path folder, String mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
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

    /** Returns a name that no topic and no group has. */
    String newName(String what) {
        return what + "-" + names.incrementAndGet();
    }

    /** Creates a topic of {@link #PARTITIONS} partitions. */
    String newTopic(String what) {
        String topic = newName(what);
        answer(admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                .all());
        awaitLeaders(topic);
        return topic;
    }

    /**
     * Waits until each partition has a leader. A producer whose first batch is refused by a partition without a leader may send its
     * second batch before the first batch, and the broker refuses such a sequence for minutes.
     */
    private void awaitLeaders(String topic) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            TopicPartition created = new TopicPartition(topic, partition);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
            while (!hasLeader(created) && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean hasLeader(TopicPartition partition) {
        try {
            admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get(ANSWER_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    /** Creates a topic with so many records. */
    Topic filledTopic(String what, int records) {
        String topic = newTopic(what);
        fill(topic, records, index -> "key-" + index % 10_000);
        return new Topic(topic, records);
    }

    /**
     * Records for a contestant.
     *
     * @param name the name of the topic
     * @param records the number of records, spread over all partitions
     */
    record Topic(String name, int records) {}

    /** Adds records, whose values begin with their index, and waits until the broker has them. */
    void fill(String topic, int records, LongFunction<String> keys) {
        AtomicReference<Exception> failure = new AtomicReference<>();
        for (int index = 0; index < records; index++) {
            byte[] key = keys.apply(index).getBytes(StandardCharsets.UTF_8);
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, index % PARTITIONS, key, value(index));
            producer.send(record, (place, error) -> failure.compareAndSet(null, error));
        }
        producer.flush();
        if (failure.get() != null) {
            throw new IllegalStateException("a record was not sent", failure.get());
        }
    }

    /** Sends one record at once. */
    void send(String topic, long index) {
        producer.send(new ProducerRecord<>(topic, (int) (index % PARTITIONS), null, value(index)));
    }

    private static byte[] value(long index) {
        return ByteBuffer.allocate(VALUE_BYTES).putLong(index).array();
    }

    /** Returns the index of the record with this value. */
    static int index(byte[] value) {
        return (int) ByteBuffer.wrap(value).getLong();
    }

    /** Lets a share group begin with the oldest records. */
    void beginShareGroupAtFirst(String group) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        ConfigEntry earliest = new ConfigEntry("share.auto.offset.reset", "earliest");
        answer(admin.incrementalAlterConfigs(
                        Map.of(resource, List.of(new AlterConfigOp(earliest, AlterConfigOp.OpType.SET))))
                .all());
    }

    private <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("no answer of the broker, alive: " + process.isAlive(), e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        producer.close();
        admin.close();
        process.destroyForcibly().waitFor();
    }
}
