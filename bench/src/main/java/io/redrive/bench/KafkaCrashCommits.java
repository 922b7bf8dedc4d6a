package io.redrive.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes an entry to the ledger of a {@link KafkaCrashWorker} for each commit that the broker has acknowledged. The client of Kafka
 * calls this class, so the entries do not depend on what the flow believes.
 */
public final class KafkaCrashCommits implements ConsumerInterceptor<byte[], byte[]> {

    /** The setting of the client that names the ledger. */
    static final String LEDGER = "redrive.bench.ledger";

    private KafkaCrashLedger ledger;

    @Override
    public void configure(Map<String, ?> settings) {
        try {
            ledger = new KafkaCrashLedger(Path.of(String.valueOf(settings.get(LEDGER))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        ledger.write(KafkaCrashLedger.COMMITTED, String.valueOf(offsets.size()));
    }

    @Override
    public void close() {
        try {
            ledger.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
