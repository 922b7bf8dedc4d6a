package io.redrive.examples.kafka;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresStore;
import io.redrive.kafka.DuplicateRecords;
import io.redrive.kafka.KafkaBus;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.KafkaRecord;
import io.redrive.kafka.LetterHeaders;
import io.redrive.kafka.LetterTopic;
import io.redrive.kafka.RecordMapping;
import io.redrive.pipeline.Pipeline;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The code of the guide's page on Kafka. Compiled here; the tests of the module {@code kafka} run its like on a broker. */
final class KafkaBilling {

    private final CountDownLatch stopped = new CountDownLatch(1);

    void run(String database) throws InterruptedException {
        // snippet: kafka-billing
        try (PostgresStore store = PostgresStore.open(database);
                KafkaFlow flow = KafkaFlow.on(store)
                        .bootstrap("localhost:9092")
                        .group("billing")
                        .topics("orders")
                        .mapping(RecordMapping.named("order.paid"))
                        .orderedByKey()
                        .open();
                Pipeline pipeline = Pipeline.on(flow)
                        .on("order.paid", event -> bill(event.payload()))
                        .start()) {
            stopped.await();
        }
        // end
    }

    void handle(Event event) {
        // snippet: kafka-record
        KafkaRecord record = KafkaRecord.of(event).orElseThrow();
        if (record.value().isEmpty()) {
            forget(record.key().orElseThrow()); // a tombstone
        }
        // end
    }

    Pipeline.Builder exactlyOnce(PostgresStore store, KafkaFlow flow) {
        // snippet: kafka-exactly-once
        Pipeline.Builder pipeline = Pipeline.on(flow).on("order.paid", (event, context) -> {
            try (Connection connection = store.source().getConnection()) {
                connection.setAutoCommit(false);
                if (store.places().settle(connection, flow.placeOf(event, context))) {
                    insertBill(connection, event.payload());
                }
                connection.commit();
            }
        });
        // end
        return pipeline;
    }

    Pipeline.Builder withoutDuplicates(PostgresStore store, KafkaFlow flow) {
        // snippet: kafka-duplicates
        Pipeline.Builder pipeline = Pipeline.on(flow)
                .interceptor(DuplicateRecords.skippedBy(store.handledKeys(), Duration.ofDays(2), "orders"))
                .on("order.paid", event -> bill(event.payload()));
        // end
        return pipeline;
    }

    void relay(String database) throws InterruptedException {
        // snippet: kafka-relay
        try (PostgresStore store = PostgresStore.open(database);
                KafkaBus bus = KafkaBus.builder().bootstrap("localhost:9092").open();
                Pipeline pipeline =
                        bus.relay("order.*").to("orders").on(Pipeline.on(store)).start()) {
            stopped.await();
        }
        // end
    }

    void lettersOnTopics(EventStore store, KafkaBus bus) {
        // snippet: kafka-letter-topic
        LetterTopic letters = LetterTopic.of(store, bus)
                .headers(LetterHeaders.standard().withGroup("billing"))
                .start();
        // end
        letters.close();
    }

    private void bill(byte[] order) {}

    private void insertBill(Connection connection, byte[] order) {}

    private void forget(byte[] key) {}
}
