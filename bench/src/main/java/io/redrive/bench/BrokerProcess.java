package io.redrive.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** A real broker (KRaft, one node) in a process of its own, on the loopback address, which can be killed and started again. */
final class BrokerProcess implements AutoCloseable {

    private static final long ANSWER_SECONDS = 90;

    private final Path folder;
    private final List<String> jvm;
    private final Path settings;
    private final String bootstrap;
    private final Admin admin;
    private Process process;

    /**
     * Formats the folder and starts a broker.
     *
     * @param jvm options of the broker's JVM
     * @param more settings of the broker beside the settings that every broker of one node needs
     */
    BrokerProcess(Path folder, List<String> jvm, List<String> more) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.jvm = jvm;
        int client = freePort();
        bootstrap = "127.0.0.1:" + client;
        List<String> lines = new ArrayList<>(settings(folder.resolve("logs"), client, freePort()));
        lines.addAll(more);
        settings = Files.write(folder.resolve("server.properties"), lines);
        String id = Uuid.randomUuid().toString();
        if (java("kafka.tools.StorageTool", "format", "-t", id, "-c", settings.toString())
                        .waitFor()
                != 0) {
            throw new IllegalStateException(
                    "the broker's folder could not be formatted: " + Files.readString(folder.resolve("broker.log")));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::destroy));
        process = java("kafka.Kafka", settings.toString());
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        answer(admin.describeCluster().nodes());
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
                "group.initial.rebalance.delay.ms=0",
                "auto.create.topics.enable=false");
    }

    private Process java(String mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
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

    Admin admin() {
        return admin;
    }

    /** Kills the broker with SIGKILL and starts a broker on the same data. */
    void killAndRestart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = java("kafka.Kafka", settings.toString());
        answer(admin.describeCluster().nodes());
    }

    /**
     * Creates a topic and waits until each partition has a leader. A producer whose first batch is refused by a partition without a
     * leader may send its second batch before the first batch, and the broker refuses such a sequence for minutes.
     */
    void createTopic(String name, int partitions, Map<String, String> configuration) {
        answer(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(configuration)))
                .all());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        for (int partition = 0; partition < partitions; partition++) {
            while (!hasLeader(new TopicPartition(name, partition)) && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean hasLeader(TopicPartition partition) {
        try {
            end(partition);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Returns the end of a partition. */
    long end(TopicPartition partition) {
        return answer(admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
                .offset();
    }

    <T> T answer(KafkaFuture<T> future) {
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
