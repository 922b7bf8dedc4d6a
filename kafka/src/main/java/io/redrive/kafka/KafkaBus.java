package io.redrive.kafka;

import io.redrive.events.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends events to topics. A sent record is acknowledged by all replicas in sync, and requests that the client repeats write it once
 * and in order. Weaker settings are refused.
 *
 * <pre>{@code
 * try (KafkaBus bus = KafkaBus.builder().bootstrap("localhost:9092").open();
 *         Pipeline pipeline = bus.relay("order.*").to("orders").on(Pipeline.on(store)).start()) {
 *     …
 * }
 * }</pre>
 *
 * <p>{@link #publish} sends at once and keeps nothing in a store: an exception means that the record may be missing. {@link #relay}
 * moves events that a store keeps. Close pipelines before the bus. Thread-safe.
 */
public final class KafkaBus implements AutoCloseable {

    private final BusSettings settings;
    private final KafkaProducer<byte[], byte[]> producer;
    private final BusTopics topics;

    private KafkaBus(BusSettings settings) {
        this.settings = settings;
        topics = new BusTopics(settings);
        producer = new KafkaProducer<>(settings.producer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Returns a builder for a bus. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Sends an event and waits for the acknowledgement.
     *
     * @throws KafkaException if the topic does not exist, or the record was not acknowledged within {@code delivery.timeout.ms}, 10 s by
     *     default
     */
    public void publish(String topic, Event event) {
        publish(topic, List.of(event));
    }

    /**
     * Sends events and waits for all acknowledgements. Events with the same ordering key keep their order.
     *
     * @throws KafkaException if a record was not acknowledged; other records of the call may be in the topic
     */
    public void publish(String topic, List<Event> events) {
        List<ProducerRecord<byte[], byte[]>> records = events.stream()
                .map(event -> settings.mapping().toRecord(topic, event))
                .toList();
        List<Future<RecordMetadata>> answers = new ArrayList<>();
        records.forEach(record -> answers.add(send(record)));
        for (Future<RecordMetadata> answer : answers) {
            try {
                answer.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptException("interrupted while topic " + topic + " had not acknowledged", e);
            } catch (ExecutionException e) {
                Throwable cause = causeOf(e);
                throw new KafkaException(
                        "topic " + topic + " did not acknowledge a record: " + cause.getMessage(), cause);
            }
        }
    }

    static Throwable causeOf(ExecutionException failed) {
        return Objects.requireNonNullElse(failed.getCause(), failed);
    }

    /** Begins a relay of events whose name fits {@code pattern}, from the store of a pipeline to a topic. */
    public Relay.Choice relay(String pattern) {
        return new Relay.Choice(this, pattern);
    }

    Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return topics.missing(record.topic())
                .<Future<RecordMetadata>>map(CompletableFuture::failedFuture)
                .orElseGet(() -> producer.send(record));
    }

    EventMapping mapping() {
        return settings.mapping();
    }

    Map<String, Object> client() {
        return settings.client();
    }

    /** Sends what is under way, within {@code delivery.timeout.ms}, and disconnects. */
    @Override
    public void close() {
        producer.close();
    }

    /** Builds a {@link KafkaBus}. */
    public static final class Builder {
        private final Map<String, Object> client = new HashMap<>();
        private EventMapping mapping = EventMapping.cloudEvents();
        private boolean brokersCreateTopics;

        private Builder() {}

        /** Sets the addresses of brokers, for example {@code localhost:9092}; required. */
        public Builder bootstrap(String servers) {
            return client("bootstrap.servers", servers);
        }

        /** Sets how events become records. Default: {@link EventMapping#cloudEvents()}. */
        public Builder mapping(EventMapping value) {
            mapping = value;
            return this;
        }

        /**
         * Lets brokers create an unknown topic at the first record, with their default partitions, replicas and retention. Default: an
         * unknown topic is refused.
         */
        public Builder brokersCreateTopics() {
            brokersCreateTopics = true;
            return this;
        }

        /** Sets a setting of Kafka's producer, for example for TLS, SASL or compression. */
        public Builder client(String key, Object value) {
            client.put(key, value);
            return this;
        }

        /**
         * Creates the producer. The brokers need not answer yet.
         *
         * @throws IllegalArgumentException for a setting that would lose, repeat or reorder records
         * @throws KafkaException for a setting that Kafka's producer refuses
         */
        public KafkaBus open() {
            return new KafkaBus(new BusSettings(client, mapping, brokersCreateTopics));
        }
    }
}
