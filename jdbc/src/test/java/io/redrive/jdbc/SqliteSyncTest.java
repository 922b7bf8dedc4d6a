package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Settlement;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every change a caller relies on is committed with a sync. SQLite reads and writes its files itself, so no file system
 * of ours can drop its unsynced writes. Instead, triggers on the writer's connection note for each changed row the
 * setting of {@code PRAGMA synchronous} which the commit will follow: SQLite allows no change of the setting within a
 * transaction.
 */
final class SqliteSyncTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int FULL = 2;
    private static final int NORMAL = 1;

    @TempDir
    private Path dir;

    private SqliteStore store;
    private DeadLetters letters;

    @BeforeEach
    void open() {
        store = SqliteFiles.create(dir);
        letters = store.deadLetters();
        store.writer().write(Sync.DURABLE, 0, session -> {
            session.execute("CREATE TEMP TABLE changes (sync INTEGER)");
            for (String table : List.of("events", "dead_letters")) {
                for (String change : List.of("INSERT", "UPDATE", "DELETE")) {
                    session.execute("CREATE TEMP TRIGGER " + change + "_" + table + " AFTER " + change + " ON main."
                            + table + " BEGIN INSERT INTO changes SELECT synchronous FROM pragma_synchronous; END");
                }
            }
            return null;
        });
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_publish_is_synced_also_after_a_claim() {
        publish("a");
        assertThat(syncsOfChanges()).containsOnly(FULL);
        claim();
        assertThat(syncsOfChanges()).containsOnly(NORMAL);
        publish("b");
        assertThat(syncsOfChanges()).containsOnly(FULL);
    }

    @Test
    void every_settlement_is_synced() {
        for (int i = 0; i < 5; i++) {
            publish("e" + i);
            Claim claim = claim();
            syncsOfChanges();
            store.settle(List.of(settlements(claim).get(i)), NOW);
            assertThat(syncsOfChanges()).as("settlement %d", i).containsOnly(FULL);
        }
    }

    @Test
    void every_change_of_letters_is_synced() {
        publish("a");
        store.settle(List.of(settlements(claim()).get(2)), NOW);
        List<DeadLetter> export = letters.listWithHistory(LetterFilter.ALL, 0, 10);
        assertSynced(() -> letters.edit(export.get(0).id(), new byte[] {1}, "ann", NOW));
        assertSynced(() -> letters.purge(LetterFilter.ALL, 10, "ann", NOW));
        assertSynced(() -> letters.importLetters(export, "ann", NOW));
        assertSynced(() -> letters.redrive(new RedriveRequest(LetterFilter.ALL, 10, "batch", "ann", false, NOW)));
    }

    @Test
    void a_cancellation_is_synced() {
        publish("a");
        assertSynced(() -> store.cancel("a", null, NOW));
    }

    private void assertSynced(Runnable change) {
        store.extend(
                List.of(1L), Duration.ofSeconds(1), NOW); // leaves the connection with the setting of harmless work
        syncsOfChanges();
        change.run();
        assertThat(syncsOfChanges()).isNotEmpty().containsOnly(FULL);
    }

    private void publish(String id) {
        store.publish(
                List.of(Event.named("order.paid")
                        .id(id)
                        .source("shop")
                        .created(NOW)
                        .build()),
                NOW);
    }

    private Claim claim() {
        List<Claim> claims =
                store.claim(new ClaimRequest("node-1", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), NOW));
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    private static List<Settlement> settlements(Claim claim) {
        AttemptRecord attempt =
                new AttemptRecord(1, NOW, "node-1", Duration.ZERO, "IOException", "reset", "retry", "because");
        Instant later = NOW.plusSeconds(60);
        return List.of(
                new Settlement.Done(claim),
                new Settlement.Retry(claim, later, Duration.ofSeconds(60), attempt),
                new Settlement.Dead(claim, Reason.TIMEOUT, attempt, "cause", "shop"),
                new Settlement.Snooze(claim, later),
                new Settlement.Release(claim));
    }

    /** The setting at each change since the last call. */
    private List<Integer> syncsOfChanges() {
        return store.writer().write(Sync.HARMLESS_TO_LOSE, 0, session -> {
            List<Integer> found = new ArrayList<>();
            try (ResultSet row = session.prepare("SELECT sync FROM changes").executeQuery()) {
                while (row.next()) {
                    found.add(row.getInt(1));
                }
            }
            session.prepare("DELETE FROM changes").executeUpdate();
            return found;
        });
    }
}
