package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Bookmark;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The order in which partitions are served and fetched. */
final class PartitionTurnsTest {

    private static final int MOST = 10;

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final OwnedPartitions partitions = new OwnedPartitions(time, Duration.ZERO);
    private final FlowSettings settings = new FlowSettings(
            "billing",
            List.of("orders"),
            Optional.empty(),
            Optional.empty(),
            RecordMapping.standard(),
            false,
            Duration.ofSeconds(2),
            MOST,
            1 << 20,
            100,
            1_000,
            Map.of("bootstrap.servers", "none"),
            Duration.ofSeconds(45));
    private final FlowExchange exchange =
            new FlowExchange(store, partitions, new RowBrake(store, 100, 1_000), settings);
    private final PartitionCare care = new PartitionCare(settings, store.adoptions(), partitions, exchange, time);

    private static TopicPartition partition(int number) {
        return new TopicPartition("orders", number);
    }

    /** Adds a partition with so many delivered records, whose source is the number of the partition. */
    private PartitionBook own(int number, int records) {
        PartitionBook book = new PartitionBook(Progress.at(0), List.of(), List.of());
        for (int offset = 0; offset < records; offset++) {
            Event event = Event.named("order.paid").source("" + number).build();
            book.deliver(offset, event, null);
        }
        partitions.add(new OwnedPartition(
                partition(number),
                new Bookmark("billing/orders/" + number, 1),
                "billing/" + number,
                book,
                Progress.at(0)));
        return book;
    }

    @Test
    void each_partition_is_served_first_in_turn_whatever_lanes_an_exchange_asks_for() {
        for (int number = 0; number < 4; number++) {
            own(number, 50);
        }
        Set<String> served = new HashSet<>();
        for (int turn = 0; turn < 4; turn++) {
            List<ClaimRequest> requests = new ArrayList<>();
            for (Lane lane : List.of(Lane.CRITICAL, Lane.DOMAIN)) {
                requests.add(new ClaimRequest("node", lane, 5, false, Duration.ofSeconds(5), time.now()));
            }
            for (Claim claim : exchange.run(List.of(), requests, time.now()).claims()) {
                served.add(claim.event().source());
            }
        }
        assertThat(served).containsExactlyInAnyOrder("0", "1", "2", "3");
    }

    @Test
    void a_partition_read_to_its_end_is_not_fetched_while_a_full_partition_drains() {
        PartitionBook full = own(0, MOST);
        own(1, 0);
        MockConsumer<byte[], byte[]> consumer = consumer();

        care.limit(consumer);
        assertThat(consumer.paused()).containsExactlyInAnyOrder(partition(0), partition(1));

        full.claim(Lane.DOMAIN, ClaimFilter.ALL, MOST, Long.MAX_VALUE).forEach(full::finish);
        care.limit(consumer);
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void a_partition_that_drains_slowly_keeps_no_other_partition_from_being_fetched() {
        own(0, MOST);
        own(1, 0);
        MockConsumer<byte[], byte[]> consumer = consumer();

        care.limit(consumer);
        time.advance(FlowSettings.LONGEST_FETCH);
        care.limit(consumer);
        assertThat(consumer.paused()).containsExactly(partition(0));
    }

    /** The first partition has further records at the broker, the second partition is read to its end. */
    private static MockConsumer<byte[], byte[]> consumer() {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        consumer.assign(List.of(partition(0), partition(1)));
        consumer.updateBeginningOffsets(Map.of(partition(0), 0L, partition(1), 0L));
        consumer.updateEndOffsets(Map.of(partition(0), 100L, partition(1), 0L));
        consumer.seek(partition(0), MOST);
        consumer.seek(partition(1), 0);
        return consumer;
    }
}
