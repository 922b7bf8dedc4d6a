package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.items.store.Commit;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleRecord.Payload;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every change of a run that a caller relies on is committed with a sync; claims and longer leases are not. */
final class SqliteRunSyncTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final String RUN = "march";

    @TempDir
    private Path dir;

    private SqliteRunStore store;
    private SyncRecorder syncs;

    @BeforeEach
    void open() {
        SqliteFiles.create(dir).close();
        store = SqliteRunStore.open(SqliteFiles.in(dir));
        syncs = SyncRecorder.on(
                store.writer(), List.of("runs", "run_samples", "run_sinks", "run_workers", "run_stages", "run_passed"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void what_a_run_and_its_operator_commit_is_synced() {
        assertSynced(() -> store.open(new RunDefinition(RUN, "texts", List.of("fetch")), NOW));
        assertSynced(() -> store.join(RUN, "one", LEASE, NOW));
        Lease lease = store.join(RUN, "two", LEASE, NOW);
        assertSynced(() -> assertThat(store.commit(commit(lease), NOW)).isPresent());
        assertSynced(() -> store.leave(lease, RunStatus.STOPPED, NOW));
        assertSynced(() -> store.archive().reprocess(DeadFilter.ofRun(RUN), NOW));
        assertSynced(() -> store.archive().cancel(RUN, NOW));
    }

    @Test
    void a_longer_lease_is_harmless_to_lose() {
        store.open(new RunDefinition(RUN, "texts", List.of("fetch")), NOW);
        Lease lease = store.join(RUN, "one", LEASE, NOW);
        syncs.changes();

        store.extend(lease, LEASE, false, NOW.plusSeconds(10));
        assertThat(syncs.changes()).isNotEmpty().containsOnly(SyncRecorder.NORMAL);
    }

    private void assertSynced(Runnable change) {
        syncs.changes();
        change.run();
        assertThat(syncs.changes()).isNotEmpty().containsOnly(SyncRecorder.FULL);
    }

    private static Commit commit(Lease lease) {
        Death death = new Death(Reason.NOT_RETRYABLE, "http_422", "cannot read it", NOW);
        SampleRecord dead =
                new SampleRecord(0, "s0", SampleState.DEAD, 0, Progress.NONE, Payload.of(new byte[] {1}), false, death);
        return new Commit(
                lease,
                1,
                Optional.of(new Commit.Taken(1, 1, true, OptionalLong.empty())),
                List.of(new Commit.Change(dead, List.of())),
                Optional.empty());
    }
}
