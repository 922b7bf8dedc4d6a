package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Bookmark;
import io.redrive.events.ClaimFilter;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The commits that announced records wait for. */
final class AnnouncedCommitsTest {

    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final int RECORDS = 3;

    private final ManualTime time = new ManualTime();
    private final OwnedPartitions partitions = new OwnedPartitions(time, Duration.ZERO);
    private final Commits commits = new Commits(new InMemoryEventStore().adoptions(), partitions, time);
    private final PartitionBook book = new PartitionBook(Progress.at(0), List.of(), List.of());
    private final MockConsumer<byte[], byte[]> consumer = consumer();

    private static MockConsumer<byte[], byte[]> consumer() {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        return consumer;
    }

    private List<BookedRecord> claim() {
        return book.claim(Lane.DOMAIN, ClaimFilter.ALL, RECORDS, Long.MAX_VALUE);
    }

    private List<BookedRecord> claimAnnounced() {
        assertThat(claim()).as("claims before the announcement").isEmpty();
        time.advance(Commits.INTERVAL);
        commits.commitIfDue(consumer);
        return claim();
    }

    /** A pipeline whose handlers have become slow gives back all records that wait for a handler. */
    @Test
    void records_that_were_announced_and_given_back_are_announced_and_begin_again() {
        book.announcements().beginCarefully(RECORDS, List.of());
        for (int offset = 0; offset < RECORDS; offset++) {
            book.deliver(offset, Event.named("order.paid").source("orders").build(), null);
        }
        partitions.add(
                new OwnedPartition(PARTITION, new Bookmark("billing/orders/0", 1), "billing/0", book, Progress.at(0)));

        List<BookedRecord> first = claimAnnounced();
        assertThat(first).hasSize(RECORDS);
        first.forEach(book::giveBack);
        assertThat(claimAnnounced()).as("claims of the same records").hasSize(RECORDS);
    }
}
