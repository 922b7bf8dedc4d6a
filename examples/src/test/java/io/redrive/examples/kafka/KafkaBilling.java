package io.redrive.examples.kafka;

import io.redrive.events.Event;
import io.redrive.jdbc.PostgresStore;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.KafkaRecord;
import io.redrive.kafka.RecordMapping;
import io.redrive.pipeline.Pipeline;
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

    private void bill(byte[] order) {}

    private void forget(byte[] key) {}
}
