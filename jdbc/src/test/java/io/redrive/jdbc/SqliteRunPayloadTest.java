package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.events.StoreException;
import io.redrive.items.store.Commit;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large payloads as files beside the database. */
final class SqliteRunPayloadTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int INLINE = SqliteRunStore.INLINE_PAYLOAD;

    @TempDir
    private Path dir;

    private RunStore store;
    private Lease lease;
    private long commits;

    @BeforeEach
    void joinRun() {
        store = SqliteRunStore.open(dir.resolve("runs.db"));
        store.open(new RunDefinition("march", "texts", List.of("fetch")), NOW);
        lease = store.join("march", "one", LEASE, NOW);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void a_payload_above_the_limit_is_a_file_and_one_at_the_limit_is_not() throws Exception {
        commit(ready(0, INLINE), ready(1, INLINE + 1));

        assertThat(files()).singleElement().satisfies(file -> assertThat(file).hasSize(INLINE + 1));
        assertThat(bytesInDatabase()).isEqualTo(INLINE);
        assertThat(store.archive().sample("march", 1).orElseThrow().bytes()).isEqualTo(bytes(1, INLINE + 1));
    }

    @Test
    void a_file_goes_when_its_sample_moves_on_or_ends() throws IOException {
        commit(ready(0, INLINE + 1), ready(1, INLINE + 1), ready(2, INLINE + 1));
        commit(ready(0, INLINE + 2), ready(1, 10), succeeded(2));

        assertThat(files()).singleElement().satisfies(file -> assertThat(file).hasSize(INLINE + 2));
    }

    @Test
    void a_dead_sample_keeps_its_file_and_comes_back_with_it() throws IOException {
        commit(dead(0, INLINE + 1));
        store.leave(lease, RunStatus.STOPPED, NOW);

        assertThat(store.archive().reprocess(DeadFilter.ofRun("march"), NOW)).isEqualTo(1);
        Lease next = store.join("march", "next", LEASE, NOW);
        assertThat(store.claim(next, 1, 10, NOW))
                .singleElement()
                .satisfies(sample -> assertThat(sample.bytes()).isEqualTo(bytes(0, INLINE + 1)));
        assertThat(files()).hasSize(1);
    }

    @Test
    void files_left_by_a_crash_are_swept_by_the_next_process_that_is_alone_with_the_run() throws IOException {
        commit(ready(0, INLINE + 1));
        Path named = files().get(0);
        Path left = Files.write(named.resolveSibling("7-99-3"), new byte[] {1});
        Path stranger = Files.write(named.resolveSibling("notes.txt"), new byte[] {1});

        Lease other = store.join("march", "other", LEASE, NOW);
        assertThat(left).as("the first may be about to commit it").exists();
        store.leave(other, RunStatus.STOPPED, NOW);
        store.join("march", "next", LEASE, NOW.plus(LEASE).plusSeconds(1));

        assertThat(left).doesNotExist();
        assertThat(named).exists();
        assertThat(stranger).exists();
    }

    @Test
    void a_commit_under_a_stale_lease_leaves_no_file() throws IOException {
        store.join("march", "next", LEASE, NOW.plus(LEASE).plusSeconds(1));
        assertThat(store.commit(commitOf(ready(0, INLINE + 1)), NOW)).isEmpty();

        assertThat(files()).isEmpty();
    }

    @Test
    void files_are_deleted_with_their_run() throws IOException {
        commit(ready(0, INLINE + 1));
        store.leave(lease, RunStatus.STOPPED, NOW);
        store.archive().delete("march", NOW);

        assertThat(files()).isEmpty();
    }

    @Test
    void a_file_that_is_missing_is_named_with_what_to_do() throws IOException {
        commit(ready(0, INLINE + 1));
        Path file = files().get(0);
        Files.delete(file);

        assertThatThrownBy(() -> store.archive().sample("march", 0))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("payload file " + file + " is missing")
                .hasMessageContaining("it belongs to the database beside it, put it back");
    }

    private void commit(SampleRecord... samples) {
        assertThat(store.commit(commitOf(samples), NOW)).isPresent();
    }

    private Commit commitOf(SampleRecord... samples) {
        return new Commit(
                lease,
                ++commits,
                Optional.of(new Commit.Taken(samples.length, 1, false, OptionalLong.empty())),
                Stream.of(samples)
                        .map(sample -> new Commit.Change(sample, List.of()))
                        .toList(),
                Optional.empty());
    }

    private static SampleRecord ready(long ordinal, int length) {
        return new SampleRecord(
                ordinal,
                "s" + ordinal,
                SampleState.READY,
                0,
                Progress.NONE,
                new SampleRecord.Payload.Bytes(bytes(ordinal, length)),
                true,
                null);
    }

    private static SampleRecord succeeded(long ordinal) {
        return new SampleRecord(
                ordinal,
                "s" + ordinal,
                SampleState.SUCCEEDED,
                1,
                Progress.NONE,
                SampleRecord.Payload.NONE,
                false,
                null);
    }

    private static SampleRecord dead(long ordinal, int length) {
        Death death = new Death(Reason.NOT_RETRYABLE, "http_422", "cannot read it", NOW);
        return new SampleRecord(
                ordinal,
                "s" + ordinal,
                SampleState.DEAD,
                0,
                Progress.NONE,
                new SampleRecord.Payload.Bytes(bytes(ordinal, length)),
                false,
                death);
    }

    private static byte[] bytes(long ordinal, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) ordinal);
        return bytes;
    }

    private List<Path> files() throws IOException {
        Path folder = dir.resolve("runs.db-payloads");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private long bytesInDatabase() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + dir.resolve("runs.db"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT sum(length(payload)) FROM run_samples")) {
            return row.getLong(1);
        }
    }
}
