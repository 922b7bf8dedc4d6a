package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.Lane;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trouble with a file: each time a clear message, no partial change, and a working store once the trouble is over. */
final class SqliteTroubleTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path dir;

    @Test
    void a_full_disk_is_told_and_the_call_can_be_repeated_when_there_is_space() {
        try (SqliteStore store = SqliteFiles.create(dir)) {
            publish(store, "before");
            List<Event> large = IntStream.range(0, 100)
                    .mapToObj(i ->
                            event("large-" + i).payload(new byte[10_000], "x/y").build())
                    .toList();
            for (int i = 0; i < 2; i++) {
                // The limit in pages stands for the disk: SQLite answers SQLITE_FULL in both cases. The limit holds for
                // one connection, and the writer opens a new one after the failure.
                pragma(store, "max_page_count = 60");
                assertThatThrownBy(() -> store.publish(large, NOW))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining(SqliteFiles.in(dir).toString())
                        .hasMessageContaining("the disk is full, nothing was written; free some space");
            }
            assertThat(store.stats(NOW).ready()).isEqualTo(1);
            List<Claim> held = claim(store);
            assertThat(held).hasSize(1);
            assertThat(store.publish(large, NOW)).containsOnly(PublishResult.ACCEPTED);
            assertThat(store.settle(List.of(new Settlement.Done(held.get(0))), NOW))
                    .isEmpty();
            assertThat(store.stats(NOW).ready()).isEqualTo(100);
        }
    }

    @Test
    void a_file_that_cannot_be_written_is_told_and_works_again_later() {
        try (SqliteStore store = SqliteFiles.create(dir)) {
            pragma(store, "query_only = ON");
            assertThatThrownBy(() -> publish(store, "a"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("cannot be written; grant write permission");
            assertThat(publish(store, "a")).containsExactly(PublishResult.ACCEPTED);
        }
    }

    @Test
    void a_file_locked_for_too_long_is_told_and_works_again_later() throws SQLException {
        SqliteOptions hasty = SqliteOptions.DEFAULT.withLockTimeout(Duration.ofMillis(20));
        try (SqliteStore store = SqliteFiles.create(dir, hasty);
                Connection other = connect();
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThatThrownBy(() -> publish(store, "a"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("another process kept the file locked");
            statement.execute("ROLLBACK");
            assertThat(publish(store, "a")).containsExactly(PublishResult.ACCEPTED);
        }
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_store_closes_although_another_process_keeps_the_file_locked() throws Exception {
        SqliteOptions patient = SqliteOptions.DEFAULT.withLockTimeout(Duration.ofHours(1));
        SqliteStore store = SqliteFiles.create(dir, patient);
        try (Connection other = connect();
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            FutureTask<List<PublishResult>> waiting = new FutureTask<>(() -> publish(store, "a"));
            Thread publisher = new Thread(waiting);
            publisher.start();
            while (publisher.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }

            store.close();

            assertThatThrownBy(waiting::get)
                    .hasRootCauseInstanceOf(SQLException.class)
                    .hasMessageContaining("another process kept the file locked");
        }
    }

    @Test
    void a_file_that_is_no_database_is_refused_and_left_unchanged() throws IOException {
        String text = "dear diary, ".repeat(100);
        Files.writeString(SqliteFiles.in(dir), text);
        assertThatThrownBy(() -> SqliteStore.open(SqliteFiles.in(dir)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not a SQLite database; choose another path");
        assertThat(SqliteFiles.in(dir)).hasContent(text);
    }

    @Test
    void a_database_with_foreign_tables_is_refused_and_left_unchanged() throws Exception {
        try (Connection other = connect();
                Statement statement = other.createStatement()) {
            statement.execute("CREATE TABLE diary (entry TEXT)");
        }
        byte[] before = Files.readAllBytes(SqliteFiles.in(dir));
        assertThatThrownBy(() -> SqliteStore.open(SqliteFiles.in(dir)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is it a Redrive store?");
        assertThat(SqliteFiles.in(dir)).hasBinaryContent(before);
    }

    @Test
    void a_newer_schema_is_refused() throws SQLException {
        SqliteFiles.create(dir).close();
        try (Connection other = connect();
                Statement statement = other.createStatement()) {
            statement.execute("UPDATE redrive_schema SET version = '99'");
        }
        assertThatThrownBy(() -> SqliteStore.open(SqliteFiles.in(dir)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("written by a newer Redrive (schema 99, this one knows "
                        + SqliteMigrations.VERSION + "); upgrade Redrive");
    }

    @Test
    void a_folder_that_does_not_exist_is_told() {
        assertThatThrownBy(() -> SqliteStore.open(dir.resolve("missing").resolve("store.db")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("check that its folder exists");
    }

    @Test
    void several_processes_may_create_one_file_at_the_same_time() {
        int openers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(openers);
        List<CompletableFuture<SqliteStore>> opening = new ArrayList<>();
        for (int i = 0; i < openers; i++) {
            opening.add(CompletableFuture.supplyAsync(() -> SqliteStore.open(SqliteFiles.in(dir)), threads));
        }
        try {
            List<SqliteStore> stores =
                    opening.stream().map(CompletableFuture::join).toList();
            for (int i = 0; i < openers; i++) {
                publish(stores.get(i), "e" + i);
            }
            assertThat(claim(stores.get(0))).hasSize(openers);
        } finally {
            opening.forEach(each -> each.thenAccept(SqliteStore::close));
            threads.shutdown();
        }
    }

    @Test
    void a_crash_inside_a_transaction_leaves_nothing_of_it() {
        Path copy = dir.resolve("copy");
        try (SqliteStore store = SqliteFiles.create(dir)) {
            publish(store, "whole");
            store.writer().write(Sync.DURABLE, 0, session -> {
                SqlitePublish half = new SqlitePublish(SqliteOptions.DEFAULT);
                half.publish(session, List.of(event("half").build()), ImmediateClaim.NONE, NOW);
                copyTo(copy); // the files as a crash at this moment leaves them
                return null;
            });
        }
        try (SqliteStore after = SqliteStore.open(SqliteFiles.in(copy))) {
            assertThat(claim(after)).extracting(claim -> claim.event().id()).containsExactly("whole");
            assertThat(publish(after, "half")).containsExactly(PublishResult.ACCEPTED);
        }
    }

    private void copyTo(Path copy) {
        try {
            Files.createDirectories(copy);
            for (String suffix : List.of("", "-wal")) {
                Files.copy(Path.of(SqliteFiles.in(dir) + suffix), Path.of(SqliteFiles.in(copy) + suffix));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + SqliteFiles.in(dir));
    }

    private static void pragma(SqliteStore store, String pragma) {
        store.writer().write(Sync.DURABLE, 0, session -> {
            session.execute("PRAGMA " + pragma);
            return null;
        });
    }

    private static List<PublishResult> publish(SqliteStore store, String id) {
        return store.publish(List.of(event(id).build()), NOW);
    }

    private static Event.Builder event(String id) {
        return Event.named("order.paid").id(id).source("shop").created(NOW);
    }

    private static List<Claim> claim(SqliteStore store) {
        return store.claim(new ClaimRequest("node", Lane.DOMAIN, 100, false, Duration.ofSeconds(30), NOW));
    }

    @Test
    void a_url_is_not_taken_for_the_path_of_a_file() {
        for (String url : List.of("jdbc:postgresql://shop:secret@localhost/shop", "jdbc:sqlite:orders.db")) {
            assertThatThrownBy(() -> SqliteStore.open(Path.of(url)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "path must be that of a file, got one that begins with 'jdbc:'; open a database"
                                    + " with PostgresStore.open(url)")
                    .hasMessageNotContaining("secret");
        }
        assertThatThrownBy(() -> SqliteRunStore.open(Path.of("postgresql://localhost/shop")))
                .hasMessageContaining("begins with 'postgresql:'");
    }
}
