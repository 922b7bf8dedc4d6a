package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Bookmark;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.LetterFilter;
import io.redrive.events.LogPlace;
import io.redrive.events.Settlement;
import io.redrive.events.Takeover;
import io.redrive.events.TakeoverRequest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Places of a log that a handler settles in its own transaction. */
final class PostgresPlacesIT {

    private static final String LOG = "billing/orders/3";
    private static final LogPlace PLACE = new LogPlace(LOG, 7, false);
    private static final LogPlace STORED = new LogPlace(LOG, 7, true);

    private final ManualTime time = new ManualTime();
    private PostgresStore store;

    @TempDir
    Path folder;

    @BeforeEach
    void open() {
        store = PostgresServer.get().create(folder, time);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Takeover takeOver(String owner, boolean forgets) {
        return store.adoptions().takeOver(new TakeoverRequest(LOG, owner, 0, forgets, ""), time.now());
    }

    private boolean settle(LogPlace place, boolean commits) throws SQLException {
        try (Connection connection = store.source().getConnection()) {
            connection.setAutoCommit(false);
            boolean fresh = store.places().settle(connection, place);
            if (commits) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return fresh;
        }
    }

    @Test
    void a_place_is_settled_by_the_first_transaction_that_commits() throws SQLException {
        takeOver("p1", false);
        assertThat(settle(PLACE, false)).isTrue();
        assertThat(settle(PLACE, true)).isTrue();
        assertThat(settle(PLACE, true)).isFalse();
        assertThat(settle(new LogPlace(LOG, 8, false), true)).isTrue();
    }

    @Test
    void the_next_owner_skips_the_place_until_an_operator_sets_the_log_back() throws SQLException {
        takeOver("p1", false);
        settle(PLACE, true);
        settle(STORED, true);
        assertThat(takeOver("p2", false).settled()).isEqualTo(Set.of(7L));
        assertThat(takeOver("p3", true).settled()).isEmpty();
        assertThat(settle(PLACE, true)).isTrue();
        assertThat(settle(STORED, true)).isTrue();
    }

    @Test
    void a_failure_after_the_commit_stores_neither_a_retry_nor_a_letter() throws SQLException {
        Bookmark mine = takeOver("p1", false).bookmark();
        settle(PLACE, true);
        assertThat(store.adoptions().adopt(mine, List.of(new Adoption(7, dead(), List.of())), time.now()))
                .isEqualTo(new AdoptionResult.Adopted(Set.of()));
        assertThat(store.deadLetters().list(LetterFilter.ALL, 0, 10)).isEmpty();
    }

    /** The adoption settled the place of the record, so the retry of the stored event has a mark of its own. */
    @Test
    void a_stored_event_of_an_adopted_record_is_settled_once_too() throws SQLException {
        Bookmark mine = takeOver("p1", false).bookmark();
        store.adoptions().adopt(mine, List.of(new Adoption(7, dead(), List.of())), time.now());
        assertThat(settle(PLACE, true)).isFalse();
        assertThat(settle(STORED, true)).isTrue();
        assertThat(settle(STORED, true)).isFalse();
    }

    @Test
    void a_second_transaction_waits_for_the_first_and_does_nothing_after_its_commit() throws Exception {
        takeOver("p1", false);
        try (Connection first = store.source().getConnection()) {
            first.setAutoCommit(false);
            assertThat(store.places().settle(first, PLACE)).isTrue();
            CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> {
                try {
                    return settle(PLACE, true);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(second).isNotDone();
            first.commit();
            assertThat(second.get()).isFalse();
        }
    }

    @Test
    void marks_of_records_are_pruned_after_minutes_and_marks_of_stored_events_after_a_week() throws SQLException {
        Bookmark mine = takeOver("p1", false).bookmark();
        settle(PLACE, true);
        settle(STORED, true);
        time.advance(Duration.ofHours(1));
        assertThat(store.adoptions().prune(mine, 8, Duration.ofMinutes(5), time.now()))
                .isEqualTo(1);
        assertThat(settle(STORED, false)).isFalse();
        time.advance(Duration.ofDays(8));
        store.adoptions().prune(mine, 8, Duration.ofMinutes(5), time.now());
        assertThat(settle(STORED, false)).isTrue();
    }

    @Test
    void a_connection_that_commits_each_statement_is_refused() throws SQLException {
        try (Connection connection = store.source().getConnection()) {
            connection.setAutoCommit(true);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.places().settle(connection, PLACE))
                    .withMessageContaining("setAutoCommit(false)");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogPlace(LOG, -1, false))
                .withMessageContaining("got -1");
    }

    private Settlement.Dead dead() {
        Event event = Event.named("order.paid").source("orders").text("a").build();
        Claim claim = new Claim(event, -8, -1, Attempts.NONE, time.now(), Duration.ZERO, 0);
        AttemptRecord attempt = new AttemptRecord(
                1, time.now(), "node", Duration.ZERO, "IOException", "no such table", "dead", "not retryable");
        return new Settlement.Dead(
                claim, Reason.NOT_RETRYABLE, attempt, Fingerprint.of("IOException", "no such table"), "shop");
    }
}
