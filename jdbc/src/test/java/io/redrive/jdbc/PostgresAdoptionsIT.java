package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Bookmark;
import io.redrive.events.BookmarkedAdoptions;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.TakeoverRequest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adoptions of several bookmarks at once, on connections of their own. */
final class PostgresAdoptionsIT {

    private static final String LOCK = "SELECT * FROM %s.bookmarks WHERE name = '%s' FOR UPDATE";
    private static final String BLOCKED = "SELECT count(*) FROM pg_locks WHERE NOT granted";
    private static final AdoptionResult ADOPTED = new AdoptionResult.Adopted(Set.of(7L));

    private final ManualTime time = new ManualTime();
    private final PostgresServer server = PostgresServer.get();
    /** Threads of their own: the common pool has a single one on two processors, and both adoptions have to run at once. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private PostgresStore store;

    @TempDir
    Path folder;

    @BeforeEach
    void open() {
        store = server.create(folder, time);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        store.close();
    }

    private Bookmark takeOver(String log) {
        return store.adoptions()
                .takeOver(new TakeoverRequest(log, "p1", 0, false, ""), time.now())
                .bookmark();
    }

    private CompletableFuture<List<AdoptionResult>> adoptDead(Bookmark... bookmarks) {
        List<BookmarkedAdoptions> all = List.of(bookmarks).stream()
                .map(bookmark -> new BookmarkedAdoptions(bookmark, List.of(new Adoption(7, dead(), List.of()))))
                .toList();
        return CompletableFuture.supplyAsync(() -> store.adoptions().adoptAll(all, time.now()), threads);
    }

    /** Letters of one cause share a row, which counts them: a transaction that holds the row must not wait for a bookmark. */
    @Test
    void an_adoption_that_waits_for_a_bookmark_holds_up_no_adoption_of_letters_with_the_same_cause() throws Exception {
        Bookmark one = takeOver("billing/orders/1");
        Bookmark two = takeOver("billing/orders/2");
        Bookmark three = takeOver("billing/orders/3");
        try (Connection connection = server.source().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(LOCK.formatted(server.schemaOf(folder), three.name()));
            CompletableFuture<List<AdoptionResult>> waiting = adoptDead(one, three);
            while (server.count(BLOCKED) == 0 && !waiting.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(adoptDead(two).get(10, TimeUnit.SECONDS)).containsExactly(ADOPTED);
            assertThat(waiting).isNotDone();
            connection.rollback();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).containsExactly(ADOPTED, ADOPTED);
        }
        assertThat(store.deadLetters().list(LetterFilter.ALL, 0, 10)).hasSize(3);
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
