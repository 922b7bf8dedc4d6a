package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Bookmark;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import io.redrive.events.TakeoverRequest;
import io.redrive.testkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Records whose partition leaves while they are lent. A record that counted as lent for ever would keep suspects from their turn. */
final class LeftRecordsTest {

    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final String BOOKMARK = "billing/orders/0";

    private final ManualTime time = new ManualTime();
    private Runnable beforeAdoption = () -> {};
    private final EventStore store = new ForwardingStore(new InMemoryEventStore()) {
        @Override
        protected <T> T forward(String call, Supplier<T> action) {
            if (call.equals("adopt")) {
                beforeAdoption.run();
            }
            return action.get();
        }
    };
    private final OwnedPartitions partitions = new OwnedPartitions(time, Duration.ZERO);
    private final FlowSettings settings = new FlowSettings(
            "billing",
            List.of("orders"),
            Optional.empty(),
            Optional.empty(),
            RecordMapping.standard(),
            false,
            Duration.ofSeconds(2),
            10,
            1 << 20,
            100,
            1_000,
            Map.of("bootstrap.servers", "none"),
            Duration.ofSeconds(45));
    private final FlowExchange exchange =
            new FlowExchange(store, partitions, new RowBrake(store, 100, 1_000), settings);

    /** Takes the partition over, with one delivered record. */
    private void own() {
        Bookmark bookmark = store.adoptions()
                .takeOver(new TakeoverRequest(BOOKMARK, "process", 0, false, ""), time.now())
                .bookmark();
        PartitionBook book = new PartitionBook(Progress.at(0), List.of(), List.of());
        book.deliver(0, Event.named("order.paid").source("shop").build(), null);
        partitions.add(new OwnedPartition(PARTITION, bookmark, "billing/0", book, Progress.at(0)));
    }

    private List<Claim> claim() {
        ClaimRequest request = new ClaimRequest("node", Lane.DOMAIN, 1, false, Duration.ofSeconds(5), time.now());
        return exchange.run(List.of(), List.of(request), time.now()).claims();
    }

    private void settle(Settlement settlement) {
        exchange.run(List.of(settlement), List.of(), time.now());
    }

    private void park() {
        exchange.park(book -> book.claim(Lane.DOMAIN, ClaimFilter.ALL, 1, Long.MAX_VALUE), time.now());
    }

    private void leave() {
        partitions.remove(PARTITION);
    }

    private void leaveAndFail() {
        leave();
        throw new StoreException("the store is away");
    }

    @Test
    void a_record_counts_as_lent_until_its_handler_ends_also_when_its_partition_leaves() {
        own();
        Claim claim = claim().get(0);
        leave();
        assertThat(partitions.isLent()).isTrue();

        settle(new Settlement.Done(claim));
        assertThat(partitions.isLent()).isFalse();
    }

    @Test
    void a_failed_record_is_not_lent_after_the_store_took_it_while_its_partition_left() {
        own();
        Claim claim = claim().get(0);
        beforeAdoption = this::leave;

        AttemptRecord attempt =
                new AttemptRecord(1, time.now(), "node", Duration.ZERO, "IOException", "no", "dead", "test");
        settle(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt, "same", "billing"));
        assertThat(store.stats(time.now()).dead()).isEqualTo(1);
        assertThat(partitions.isLent()).isFalse();
    }

    @Test
    void a_parked_record_is_not_lent_after_its_partition_left_whether_the_store_took_it_or_not() {
        own();
        beforeAdoption = this::leaveAndFail;
        assertThatThrownBy(this::park).isInstanceOf(StoreException.class);
        assertThat(partitions.isLent()).isFalse();

        own();
        beforeAdoption = this::leave;
        park();
        assertThat(store.stats(time.now()).ready()).isEqualTo(1);
        assertThat(partitions.isLent()).isFalse();
    }

    @Test
    void a_handler_from_before_its_partition_left_and_came_back_keeps_its_record_although_parking_failed() {
        own();
        Claim claim = claim().get(0);
        leave();
        own();
        beforeAdoption = () -> {
            throw new StoreException("the store is away");
        };
        assertThatThrownBy(this::park).isInstanceOf(StoreException.class);
        assertThat(claim()).as("a second handler for the record").isEmpty();

        settle(new Settlement.Done(claim));
        time.advance(Duration.ofSeconds(1));
        assertThat(claim()).as("the record after its first handler").hasSize(1);
    }
}
