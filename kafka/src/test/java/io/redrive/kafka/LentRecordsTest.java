package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Bookmark;
import io.redrive.events.Event;
import io.redrive.kafka.LentRecords.Lent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LentRecordsTest {

    private final LentRecords lent = new LentRecords();
    private final OwnedPartition one = owner(1);
    private final OwnedPartition other = owner(2);

    private static OwnedPartition owner(int partition) {
        PartitionBook book = new PartitionBook(Progress.at(0), Set.of(), Set.of());
        return new OwnedPartition(
                new TopicPartition("orders", partition), new Bookmark("b", 1), "b/", book, Progress.at(0));
    }

    private static BookedRecord record(OwnedPartition owner, long offset) {
        Event event = Event.named("order").source("orders").build();
        return new BookedRecord(owner.book, offset, event, null);
    }

    /** Compares with a map, while some records stay away for long and others come back at once. */
    @ParameterizedTest(name = "-Dredrive.seed={0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void records_are_found_by_their_token_until_they_come_back(long seed) {
        SplittableRandom random = new SplittableRandom(Long.getLong("redrive.seed", seed));
        Map<Long, BookedRecord> expected = new HashMap<>();
        List<Long> open = new ArrayList<>();
        long lowest = 0;
        for (int step = 0; step < 30_000; step++) {
            if (open.isEmpty() || random.nextInt(step % 9_000 < 5_000 ? 3 : 6) < 2) {
                BookedRecord record = record(one, step);
                long token = lent.lend(random.nextInt(2) == 0 ? one : other, record);
                assertThat(token).isLessThan(lowest);
                lowest = token;
                expected.put(token, record);
                open.add(token);
            } else {
                // Nearly all come back in order; the first ones stay.
                long token = open.remove(random.nextInt(10) == 0 ? random.nextInt(open.size()) : open.size() / 50);
                assertThat(lent.get(token).record()).isSameAs(expected.get(token));
                assertThat(lent.remove(token).record()).isSameAs(expected.remove(token));
                assertThat(lent.remove(token)).isNull();
            }
            assertThat(lent.isEmpty()).isEqualTo(expected.isEmpty());
        }
        expected.forEach((token, record) -> assertThat(lent.get(token).record()).isSameAs(record));
        int all = lent.removeAll(one).size() + lent.removeAll(other).size();
        assertThat(all).isEqualTo(expected.size());
        assertThat(lent.isEmpty()).isTrue();
    }

    @Test
    void the_records_of_one_partition_leave_alone() {
        long stays = lent.lend(other, record(other, 7));
        long leaves = lent.lend(one, record(one, 8));
        assertThat(lent.anyOwner(owner -> owner == one)).isTrue();
        assertThat(lent.removeAll(one)).extracting(Lent::token).containsExactly(leaves);
        assertThat(lent.anyOwner(owner -> owner == one)).isFalse();
        assertThat(lent.get(leaves)).isNull();
        assertThat(lent.get(stays)).isNotNull();
    }

    @Test
    void a_token_of_the_store_finds_no_record() {
        long token = lent.lend(one, record(one, 1));
        assertThat(lent.get(token + 1_024)).isNull();
        assertThat(lent.remove(token + 1_024)).isNull();
        assertThat(lent.get(token)).isNotNull();
    }
}
