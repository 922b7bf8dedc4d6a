package io.redrive.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The broker of the benchmarks, and their records. */
final class KafkaBroker implements AutoCloseable {

    static final int PARTITIONS = 8;
    private static final int VALUE_BYTES = 300;

    private final BrokerProcess process;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicInteger names = new AtomicInteger();

    private KafkaBroker(BrokerProcess process) {
        this.process = process;
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", process.bootstrap(), "linger.ms", 1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    static KafkaBroker start(Path folder) throws Exception {
        return new KafkaBroker(new BrokerProcess(
                folder,
                List.of("-Xmx512m", "-XX:+UseSerialGC"),
                List.of(
                        "share.coordinator.state.topic.replication.factor=1",
                        "share.coordinator.state.topic.min.isr=1",
                        "share.coordinator.state.topic.num.partitions=1")));
    }

    String bootstrap() {
        return process.bootstrap();
    }

    /** Returns a name that no topic and no group has. */
    String newName(String what) {
        return what + "-" + names.incrementAndGet();
    }

    /** Creates a topic of {@link #PARTITIONS} partitions. */
    String newTopic(String what) {
        String topic = newName(what);
        process.createTopic(topic, PARTITIONS, Map.of());
        return topic;
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
        process.answer(process.admin()
                .incrementalAlterConfigs(
                        Map.of(resource, List.of(new AlterConfigOp(earliest, AlterConfigOp.OpType.SET))))
                .all());
    }

    @Override
    public void close() throws InterruptedException {
        producer.close();
        process.close();
    }
}
