package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.journal.EventQuery.By;
import io.redrive.events.journal.FinishedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The index of a full segment: the one row that a search reads has every page of a hash. */
class JournalIndexTest {

    private static final int PAGES = 256;
    private static final int EVENTS_OF_A_PAGE = 20;

    private final List<List<FinishedEvent>> pages = new ArrayList<>();

    JournalIndexTest() {
        for (int page = 0; page < PAGES; page++) {
            List<FinishedEvent> events = new ArrayList<>();
            for (int i = 0; i < EVENTS_OF_A_PAGE; i++) {
                events.add(event("e-" + page + "-" + i, "chain-" + page % 3));
            }
            pages.add(events);
        }
    }

    private static FinishedEvent event(String id, String correlation) {
        return new FinishedEvent(
                id,
                Optional.of(correlation),
                Optional.of("key"),
                "order.paid",
                "shop",
                1,
                Instant.EPOCH,
                Instant.EPOCH,
                0,
                0,
                0,
                0,
                "node-1",
                Duration.ZERO);
    }

    @Test
    void a_hash_of_every_page_is_in_one_row_with_all_its_pages() {
        List<JournalIndex.Row> rows = JournalIndex.rows(pages);
        List<Integer> all = new ArrayList<>();
        for (int page = PAGES - 1; page >= 0; page--) {
            all.add(page);
        }
        assertThat(pagesOf(rows, By.KEY, "key")).isEqualTo(all);
        assertThat(pagesOf(rows, By.NAME, "order.paid")).isEqualTo(all);
        assertThat(pagesOf(rows, By.CORRELATION, "chain-1"))
                .isEqualTo(all.stream().filter(page -> page % 3 == 1).toList());
    }

    @Test
    void every_event_is_found_in_its_page() {
        List<JournalIndex.Row> rows = JournalIndex.rows(pages);
        for (int page = 0; page < PAGES; page++) {
            for (FinishedEvent event : pages.get(page)) {
                assertThat(pagesOf(rows, By.ID, event.id())).contains(page);
            }
        }
        assertThat(rows).extracting(JournalIndex.Row::lowest).isSorted();
    }

    private static List<Integer> pagesOf(List<JournalIndex.Row> rows, By by, String text) {
        long hash = JournalIndex.hash(by, text);
        JournalIndex.Row read = rows.stream()
                .filter(row -> row.lowest() <= hash)
                .max(Comparator.comparingLong(JournalIndex.Row::lowest))
                .orElseThrow();
        return JournalIndex.pages(read.hashes(), hash);
    }
}
