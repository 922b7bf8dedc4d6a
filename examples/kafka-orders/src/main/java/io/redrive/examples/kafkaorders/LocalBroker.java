package io.redrive.examples.kafkaorders;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** A broker of Kafka in this process, with its data in a folder, for trying things out. Ends with the process. */
final class LocalBroker {

    private LocalBroker() {}

    /** Starts the broker at any port, creates topics with three partitions, and returns the address. */
    static String start(Path folder, String... topics) throws IOException, InterruptedException, ExecutionException {
        return start(folder, freePort(), topics);
    }

    /** Starts the broker at {@code client}, creates topics with three partitions, and returns the address. */
    static String start(Path folder, int client, String... topics)
            throws IOException, InterruptedException, ExecutionException {
        int controller = freePort();
        Path settings = Files.write(
                folder.resolve("server.properties"),
                List.of(
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@127.0.0.1:" + controller,
                        "listeners=PLAINTEXT://127.0.0.1:" + client + ",CONTROLLER://127.0.0.1:" + controller,
                        "controller.listener.names=CONTROLLER",
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "log.dirs=" + folder.resolve("logs"),
                        "offsets.topic.replication.factor=1",
                        "offsets.topic.num.partitions=1",
                        "group.initial.rebalance.delay.ms=0",
                        "auto.create.topics.enable=false"));
        PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        StorageTool.execute(
                new String[] {"format", "-t", Uuid.randomUuid().toString(), "-c", settings.toString()}, silent);
        Thread broker = new Thread(() -> Kafka.main(new String[] {settings.toString()}), "broker");
        broker.setDaemon(true);
        broker.start();
        String address = "127.0.0.1:" + client;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            admin.createTopics(List.of(topics).stream()
                            .map(name -> new NewTopic(name, 3, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        return address;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
