package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Settlement.Done;
import io.redrive.events.journal.EventQuery;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gathering when more events wait than a segment can take, as after a time without housekeeping. */
class JournalGatherTest {

    private static final int EVENTS_OF_A_BLOCK = 9_000;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    private Path dir;

    @Test
    void a_block_that_does_not_fit_into_a_segment_waits_for_the_next() {
        try (SqliteStore store = SqliteStore.open(dir.resolve("a.db"), SqliteOptions.DEFAULT.withJournal(DAY))) {
            store.writer().write(Sync.DURABLE, 0, session -> {
                for (int block = 0; block < 2; block++) {
                    JournalRows.add(session, block(block), Map.of(), Micros.of(NOW), DAY.toMillis() * 1_000);
                }
                return block(0);
            });
            List<Integer> gathered = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                gathered.add(store.writer().write(Sync.DURABLE, 0, JournalRows::gather));
            }
            assertThat(gathered).containsExactly(EVENTS_OF_A_BLOCK, EVENTS_OF_A_BLOCK, 0);
            for (String id : List.of("e-0-0", "e-0-8999", "e-1-0", "e-1-8999")) {
                assertThat(store.journal().find(EventQuery.id(id), 10)).as(id).hasSize(1);
            }
        }
    }

    private static List<Done> block(int number) {
        List<Done> done = new ArrayList<>();
        for (int i = 0; i < EVENTS_OF_A_BLOCK; i++) {
            Event event = Event.named("order.paid")
                    .id("e-" + number + "-" + i)
                    .source("shop")
                    .created(NOW)
                    .build();
            done.add(new Done(new Claim(event, i, 1, Attempts.NONE, NOW, Duration.ZERO, 0)));
        }
        return done;
    }
}
