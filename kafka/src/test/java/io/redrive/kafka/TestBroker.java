package io.redrive.kafka;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A real broker (KRaft, one node) in a process of its own, shared by all tests of this JVM. */
final class TestBroker {

    static final String PASSWORD = "for-tests-alone";
    static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required";

    private static final TestBroker SHARED = start();

    private final Process process;
    private final String bootstrap;
    private final String secured;
    private final Certificate certificate;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<String, Long> sent = new ConcurrentHashMap<>();
    private volatile Exception failure;

    private TestBroker(Process process, String bootstrap, String secured, Certificate certificate) {
        this.process = process;
        this.bootstrap = bootstrap;
        this.secured = secured;
        this.certificate = certificate;
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", 1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    static TestBroker get() {
        return SHARED;
    }

    String bootstrap() {
        return bootstrap;
    }

    private static TestBroker start() {
        try {
            Path folder = Files.createTempDirectory("redrive-broker");
            int client = freePort();
            int controller = freePort();
            int secured = freePort();
            Certificate certificate = Certificate.make(folder, freePort());
            List<String> lines = new ArrayList<>(settings(folder, client, controller, secured, certificate.port()));
            lines.addAll(certificate.settings());
            Path settings = Files.write(folder.resolve("server.properties"), lines);
            run(
                            folder,
                            "kafka.tools.StorageTool",
                            "format",
                            "-t",
                            Uuid.randomUuid().toString(),
                            "-c",
                            settings.toString())
                    .waitFor();
            Process process = run(folder, "kafka.Kafka", settings.toString());
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            TestBroker broker = new TestBroker(process, "127.0.0.1:" + client, "127.0.0.1:" + secured, certificate);
            broker.answer(broker.admin.describeCluster().nodes());
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The address where the user {@code reader} must log in, who has the rights that {@link #allow} gave. */
    String secured() {
        return secured;
    }

    /** The address where clients must trust the certificate of the broker, which this JVM does not. */
    String encrypted() {
        return "127.0.0.1:" + certificate.port();
    }

    /** The certificate of the broker, as PEM. */
    String certificate() {
        return certificate.pem();
    }

    /** Lets the user {@code reader} read a topic as a member of a group, and nothing else. */
    void allow(String topic, String group) {
        answer(admin.createAcls(List.of(read(ResourceType.TOPIC, topic), read(ResourceType.GROUP, group)))
                .all());
    }

    private static AclBinding read(ResourceType type, String name) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:reader", "*", AclOperation.READ, AclPermissionType.ALLOW));
    }

    private static List<String> settings(Path folder, int client, int controller, int secured, int encrypted) {
        return List.of(
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + controller,
                "listeners=PLAINTEXT://127.0.0.1:" + client + ",SASL://127.0.0.1:" + secured + ",SSL://127.0.0.1:"
                        + encrypted + ",CONTROLLER://127.0.0.1:" + controller,
                "controller.listener.names=CONTROLLER",
                "inter.broker.listener.name=PLAINTEXT",
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT,SSL:SSL,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms=PLAIN",
                "listener.name.sasl.plain.sasl.jaas.config=" + LOGIN + " user_reader=\"" + PASSWORD + "\";",
                "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users=User:ANONYMOUS",
                "log.dirs=" + folder.resolve("logs"),
                "num.partitions=1",
                "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "transaction.state.log.num.partitions=1",
                "share.coordinator.state.topic.replication.factor=1",
                "share.coordinator.state.topic.min.isr=1",
                "group.initial.rebalance.delay.ms=0",
                "group.min.session.timeout.ms=1000",
                "group.consumer.min.session.timeout.ms=1000",
                "group.consumer.session.timeout.ms=6000",
                "group.consumer.min.heartbeat.interval.ms=300",
                "group.consumer.heartbeat.interval.ms=500",
                "log.cleaner.backoff.ms=100",
                "log.cleaner.dedupe.buffer.size=4194304",
                "auto.create.topics.enable=true");
    }

    private static Process run(Path folder, String mainClass, String... arguments) throws IOException {
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

    void createTopic(String name, int partitions) {
        createTopic(name, partitions, Map.of());
    }

    void createTopic(String name, int partitions, Map<String, String> settings) {
        answer(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                .all());
        // Answers when each partition has a leader. A producer whose first batch is refused by a partition without a
        // leader
        // may write its second batch before the first one.
        for (int partition = 0; partition < partitions; partition++) {
            TopicPartition created = new TopicPartition(name, partition);
            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> end(created) >= 0);
        }
    }

    void deleteTopic(String name) {
        answer(admin.deleteTopics(List.of(name)).all());
    }

    void addPartitions(String topic, int total) {
        answer(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total)))
                .all());
    }

    void send(ProducerRecord<byte[], byte[]> record) {
        sent.merge(record.topic(), 1L, Long::sum);
        producer.send(record, (place, error) -> {
            if (error != null) {
                failure = error;
            }
        });
    }

    /** Waits until the broker has all records, and fails when it refused one. */
    void flush() {
        producer.flush();
        if (failure != null) {
            throw new IllegalStateException("a record was not sent", failure);
        }
    }

    /** Fails unless the partitions have as many records as were sent. Not for transactions, which have markers. */
    void requireComplete(String topic, Collection<TopicPartition> partitions) {
        long ends = partitions.stream().mapToLong(this::end).sum();
        if (ends != sent.getOrDefault(topic, 0L)) {
            throw new IllegalStateException(
                    "sent " + sent.get(topic) + " records to " + topic + ", its partitions have " + ends);
        }
    }

    long end(TopicPartition partition) {
        return answer(admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
                .offset();
    }

    /** The committed offsets of a group. */
    Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        return answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }

    /** Sets offsets as the tools of an operator do. */
    void reset(String group, TopicPartition partition, long offset) {
        answer(admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset)))
                .all());
    }

    /** Records that a group has not finished. */
    long lag(String group, Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = committed(group);
        long lag = 0;
        for (TopicPartition partition : partitions) {
            long end = end(partition);
            OffsetAndMetadata offset = committed.get(partition);
            lag += end - (offset == null ? 0 : offset.offset());
        }
        return lag;
    }

    int members(String group) {
        return answer(admin.describeConsumerGroups(Set.of(group)).all())
                .get(group)
                .members()
                .size();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private <T> T answer(org.apache.kafka.common.KafkaFuture<T> future) {
        try {
            return future.get(90, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("broker alive: " + process.isAlive(), e);
        }
    }
}
