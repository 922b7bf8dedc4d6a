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
import io.redrive.events.SharedNotes.Note;
import io.redrive.testkit.PowerLossFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every change a caller relies on is committed with a sync; {@link SyncRecorder} says how that shows. */
final class SqliteSyncTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int FULL = SyncRecorder.FULL;
    private static final int NORMAL = SyncRecorder.NORMAL;

    @TempDir
    private Path dir;

    private SqliteStore store;
    private DeadLetters letters;
    private SyncRecorder syncs;

    @BeforeEach
    void open() {
        store = SqliteFiles.create(dir);
        letters = store.deadLetters();
        syncs = SyncRecorder.on(store.writer(), List.of("events", "dead_letters", "notes", "handled_keys"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_publish_is_synced_also_after_a_claim() {
        publish("a");
        assertThat(syncs.changes()).containsOnly(FULL);
        claim();
        assertThat(syncs.changes()).containsOnly(NORMAL);
        publish("b");
        assertThat(syncs.changes()).containsOnly(FULL);
    }

    @Test
    void events_made_from_a_claim_are_synced_with_the_settlement_of_the_claim() {
        publish("a");
        Claim claim = claim();
        syncs.changes();
        store.publishBeforeSettling(
                List.of(Event.named("order.sent").source("shop").id("a:1").build()), NOW);
        assertThat(syncs.changes()).containsOnly(NORMAL);
        store.settle(List.of(settlements(claim).get(0)), NOW);
        assertThat(syncs.changes()).containsOnly(FULL);
    }

    @Test
    void every_settlement_is_synced() {
        for (int i = 0; i < 5; i++) {
            publish("e" + i);
            Claim claim = claim();
            syncs.changes();
            store.settle(List.of(settlements(claim).get(i)), NOW);
            assertThat(syncs.changes()).as("settlement %d", i).containsOnly(FULL);
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

    @Test
    void notes_and_handled_keys_are_synced() {
        assertSynced(() -> store.notes().write(Note.first("pause", "order.paid", "one")));
        Note note = store.notes().read().get(0);
        assertSynced(() -> store.notes().write(note.with("two")));
        assertSynced(() -> store.notes().erase(store.notes().read().get(0)));
        assertSynced(() -> store.handledKeys().add("order-17", NOW.plusSeconds(60), NOW));
    }

    @Test
    void the_name_of_a_new_store_outlasts_a_loss_of_power_once_an_event_is_published() throws IOException {
        Path folder = dir.resolve("new");
        Files.createDirectory(folder);
        PowerLossFileSystem files = new PowerLossFileSystem(folder);
        SqliteStore fresh = SqliteStore.open(files.path("fresh.db"));
        fresh.publish(List.of(Event.named("order.paid").source("shop").build()), NOW);

        files.losePower();
        assertThat(folder.resolve("fresh.db")).exists();
        assertThat(folder.resolve("fresh.db-wal")).exists();
    }

    private void assertSynced(Runnable change) {
        syncs.changes();
        change.run();
        assertThat(syncs.changes()).isNotEmpty().containsOnly(FULL);
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
}
