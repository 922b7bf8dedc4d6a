package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.ClaimFilter;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.Priority;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The book of a partition, step by step. */
final class PartitionBookTest {

    private static final long ANY_SIZE = Long.MAX_VALUE;

    private final ManualTime time = new ManualTime();
    private final PartitionBook book = new PartitionBook(Progress.at(0), List.of(), List.of());

    @Test
    void the_watermark_is_the_first_open_offset_and_without_open_records_the_next_position() {
        deliver(3, 4, 9);
        assertThat(book.watermark()).isEqualTo(3);
        List<BookedRecord> all = claim(10);
        book.finish(all.get(1));
        assertThat(book.watermark()).isEqualTo(3);
        assertThat(book.progress().finished()).containsExactly(4L);
        book.finish(all.get(0));
        assertThat(book.watermark()).isEqualTo(9);
        book.finish(all.get(2));
        assertThat(book.watermark()).isEqualTo(10);
        book.reached(12);
        assertThat(book.watermark()).as("beyond the marker of a transaction").isEqualTo(12);
    }

    @Test
    void records_of_one_key_are_claimed_one_after_the_other() {
        keyed(0, "a");
        keyed(1, "a");
        keyed(2, "b");
        List<BookedRecord> first = claim(10);
        assertThat(offsets(first)).containsExactly(0L, 2L);
        book.hold(first.get(0), time.now().plusSeconds(1));
        assertThat(claim(10)).isEmpty();
        assertThat(book.wakeHeld(time.now())).isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(book.wakeHeld(time.now())).isTrue();
        BookedRecord again = claim(10).get(0);
        assertThat(again.offset).isZero();
        book.finish(again);
        assertThat(offsets(claim(10))).containsExactly(1L);
    }

    @Test
    void records_behind_stored_events_of_their_key_wait_until_the_store_has_finished_them() {
        keyed(0, "a");
        keyed(1, "a");
        BookedRecord failed = claim(10).get(0);
        book.storeHas("a");
        book.finish(failed);
        assertThat(claim(10)).isEmpty();
        assertThat(book.isStuckBehindStoredKeys()).isTrue();
        assertThat(book.awaitedKeys(10)).containsExactly("a");
        List<BookedRecord> parked = book.claimBehindStoredKeys(10);
        assertThat(offsets(parked)).containsExactly(1L);
        book.giveBack(parked.get(0));
        book.storeFinished(Set.of("a"));
        assertThat(offsets(claim(10))).containsExactly(1L);
    }

    /** In the store, the record would wait for a handler of a name that no handler has, and nothing would tell why. */
    @Test
    void an_unreadable_record_becomes_a_letter_whatever_names_have_handlers() {
        book.deliver(0, event("kafka.unreadable", Priority.NORMAL, null), "no order number");
        ClaimFilter filter = ClaimFilter.of(Set.of(new NamePattern("order.*")));
        assertThat(book.claimForStore(filter, 10)).isEmpty();
        List<BookedRecord> claimed = book.claim(Lane.DOMAIN, filter, 10, Long.MAX_VALUE);
        assertThat(offsets(claimed)).containsExactly(0L);
    }

    @Test
    void an_unreadable_record_is_not_parked_behind_its_key() {
        book.storeHas("a");
        book.deliver(0, event("kafka.unreadable", Priority.NORMAL, "a"), "no order number");
        keyed(1, "a");
        assertThat(offsets(book.claimBehindStoredKeys(10))).containsExactly(1L);
    }

    /** A limit of bytes that counts payloads alone would let a few thousand records with large headers fill the memory. */
    @Test
    void headers_and_key_count_as_open_bytes() {
        Event event = Event.named("order.paid")
                .id("0")
                .source("orders")
                .text("value")
                .header("trace", "abc")
                .header(Event.RECORD_HEADER, "x".repeat(1_000_000))
                .build();
        BookedRecord record = book.deliver(0, event, null).orElseThrow();
        assertThat(book.openBytes()).isEqualTo(5 + 8 + Event.RECORD_HEADER.length() + 1_000_000);
        book.finish(record);
        assertThat(book.openBytes()).isZero();
    }

    @Test
    void a_paused_name_holds_up_no_other_name_and_a_name_without_handler_goes_to_the_store() {
        book.deliver(0, event("order.paid", Priority.NORMAL, null), null);
        book.deliver(1, event("order.sent", Priority.NORMAL, null), null);
        book.deliver(2, event("stock.low", Priority.NORMAL, null), null);
        ClaimFilter filter =
                ClaimFilter.of(Set.of(new NamePattern("order.*"))).without(Set.of(new NamePattern("order.paid")));
        assertThat(offsets(book.claim(Lane.DOMAIN, filter, 10, ANY_SIZE))).containsExactly(1L);
        assertThat(offsets(book.claimForStore(filter, 10))).containsExactly(2L);
    }

    @Test
    void records_keep_to_their_lane_and_claims_to_their_limits() {
        book.deliver(0, event("order.paid", Priority.LOW, null), null);
        book.deliver(1, event("order.paid", Priority.CRITICAL, null), null);
        book.deliver(2, event("order.paid", Priority.NORMAL, null), null);
        assertThat(offsets(book.claim(Lane.CRITICAL, ClaimFilter.ALL, 10, ANY_SIZE)))
                .containsExactly(1L);
        assertThat(book.claim(Lane.SUSPECT, ClaimFilter.ALL, 10, ANY_SIZE)).isEmpty();
        assertThat(offsets(book.claim(Lane.DOMAIN, ClaimFilter.ALL, 10, 1))).containsExactly(0L);
        assertThat(offsets(book.claim(Lane.DOMAIN, ClaimFilter.ALL, 1, ANY_SIZE)))
                .containsExactly(2L);
        assertThat(book.openBytes()).isEqualTo(6);
    }

    @Test
    void records_far_above_the_watermark_wait_for_it() {
        deliver(0, Progress.SPAN - 1, Progress.SPAN);
        assertThat(offsets(claim(10))).containsExactly(0L, (long) Progress.SPAN - 1);
    }

    @Test
    void suspects_go_to_the_store_and_never_to_the_pipeline() {
        book.announcements().beginCarefully(2, Set.of(1L));
        deliver(1, 2);
        assertThat(offsets(claim(10))).containsExactly(2L);
        List<BookedRecord> suspects = book.claimForStore(ClaimFilter.ALL, 10);
        assertThat(offsets(suspects)).containsExactly(1L);
        assertThat(suspects.get(0).attempts().isSuspect()).isTrue();
        assertThat(book.progress().announced())
                .as("until the store has the suspect")
                .containsExactly(1L);
        book.finish(suspects.get(0));
        assertThat(book.progress().announced()).isEmpty();
    }

    @Test
    void a_careful_owner_begins_a_record_only_after_its_announcement() {
        book.announcements().beginCarefully(2, Set.of());
        deliver(0, 1, 2);
        assertThat(offsets(claim(10))).as("not below the careful offset").containsExactly(2L);
        Progress announced = book.progress();
        assertThat(announced.announced()).containsExactly(0L, 1L);
        assertThat(claim(10)).as("not acknowledged yet").isEmpty();
        book.announcements().acknowledged(announced.announced());
        List<BookedRecord> begun = claim(10);
        assertThat(offsets(begun)).containsExactly(0L, 1L);
        assertThat(book.progress().announced()).as("in a handler").containsExactly(0L, 1L);
        book.finish(begun.get(1));
        book.hold(begun.get(0), time.now());
        assertThat(book.progress().announced()).as("in no handler").isEmpty();
        book.wakeHeld(time.now());
        assertThat(claim(10)).as("announced again before the next attempt").isEmpty();
        assertThat(book.progress().announced()).containsExactly(0L);
    }

    @Test
    void few_records_are_announced_at_once_and_a_paused_name_gives_its_room_to_others() {
        book.announcements().beginCarefully(1_000, Set.of());
        for (int offset = 0; offset < 500; offset++) {
            book.deliver(offset, event(offset < 100 ? "order.paid" : "order.sent", Priority.NORMAL, null), null);
        }
        claim(500);
        assertThat(book.progress().announced()).hasSize(Announcements.MOST).contains(0L);
        book.announcements().acknowledged(book.progress().announced());
        ClaimFilter paused =
                ClaimFilter.of(Set.of(new NamePattern("order.*"))).without(Set.of(new NamePattern("order.paid")));
        assertThat(book.claim(Lane.DOMAIN, paused, 500, ANY_SIZE)).isEmpty();
        assertThat(book.progress().announced())
                .hasSize(Announcements.MOST)
                .contains(100L)
                .doesNotContain(0L);
        assertThat(offsets(claim(500))).as("an acknowledgement is needed again").isEmpty();
    }

    @Test
    void thousands_of_records_behind_an_open_record_are_no_suspects_after_the_second_crash() {
        PartitionBook careful = new PartitionBook(Progress.at(0), List.of(), List.of("blocked"));
        careful.announcements().beginCarefully(5_000, Set.of());
        careful.deliver(0, event("order.paid", Priority.NORMAL, "blocked"), null);
        for (int offset = 1; offset < 5_000; offset++) {
            careful.deliver(offset, event("order.paid", Priority.NORMAL, "key" + offset), null);
        }
        careful.claim(Lane.DOMAIN, ClaimFilter.ALL, 100, ANY_SIZE);
        Progress announced = careful.progress();
        careful.announcements().acknowledged(announced.announced());
        List<BookedRecord> begun = careful.claim(Lane.DOMAIN, ClaimFilter.ALL, 10, ANY_SIZE);
        careful.finish(begun.get(3));
        Progress found = Progress.read(0, careful.progress().metadata());
        assertThat(found.watermark()).isZero();
        assertThat(found.announced())
                .containsAll(
                        offsets(begun).stream().filter(offset -> offset != 4).toList())
                .hasSize(Announcements.MOST - 1)
                .doesNotContain(0L);
        PartitionBook next = new PartitionBook(found, List.of(), List.of("blocked"));
        next.announcements().beginCarefully(5_000, found.announced());
        for (int offset = 0; offset < 5_000; offset++) {
            next.deliver(offset, event("order.paid", Priority.NORMAL, "key" + offset), null);
        }
        assertThat(next.claimForStore(ClaimFilter.ALL, 5_000)).hasSize(Announcements.MOST - 1);
    }

    @Test
    void a_suspect_that_compaction_removed_is_forgotten() {
        book.announcements().beginCarefully(10, Set.of(3L));
        assertThat(book.progress().announced()).containsExactly(3L);
        deliver(0, 5);
        assertThat(book.progress().announced()).isEmpty();
    }

    @Test
    void a_new_owner_keeps_finished_offsets_that_were_not_delivered_to_it_yet() {
        Progress before = Progress.at(10);
        before.finished().addAll(Set.of(12L, 40L));
        before.failed().put(10L, 2);
        PartitionBook later = new PartitionBook(before, List.of(41L), List.of());
        later.deliver(10, event("order.paid", Priority.NORMAL, null), null);
        assertThat(later.progress().finished()).containsExactly(12L, 40L, 41L);
        assertThat(later.claim(Lane.DOMAIN, ClaimFilter.ALL, 1, ANY_SIZE)
                        .get(0)
                        .attempts()
                        .failed())
                .isEqualTo(2);
        later.deliver(11, event("order.paid", Priority.NORMAL, null), null);
        later.deliver(12, event("order.paid", Priority.NORMAL, null), null);
        assertThat(offsets(later.claim(Lane.DOMAIN, ClaimFilter.ALL, 9, ANY_SIZE)))
                .containsExactly(11L);
        later.deliver(12, event("order.paid", Priority.NORMAL, null), null);
        assertThat(later.open()).as("a repeated delivery changes nothing").isEqualTo(2);
    }

    private void deliver(long... offsets) {
        for (long offset : offsets) {
            book.deliver(offset, event("order.paid", Priority.NORMAL, null), null);
        }
    }

    private void keyed(long offset, String key) {
        book.deliver(offset, event("order.paid", Priority.NORMAL, key), null);
    }

    private Event event(String name, Priority priority, String key) {
        return Event.named(name)
                .source("test")
                .priority(priority)
                .orderingKey(key)
                .text("ab")
                .time(time)
                .build();
    }

    private List<BookedRecord> claim(int demand) {
        return book.claim(Lane.DOMAIN, ClaimFilter.ALL, demand, ANY_SIZE);
    }

    private static List<Long> offsets(List<BookedRecord> records) {
        return records.stream().map(record -> record.offset).toList();
    }
}
