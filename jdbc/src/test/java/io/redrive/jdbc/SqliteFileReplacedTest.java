package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Event;
import io.redrive.events.PublishResult;
import io.redrive.events.StoreException;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A file deleted or replaced while its store is open: no call is acknowledged. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "an open file can be neither deleted nor replaced")
final class SqliteFileReplacedTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path dir;

    private SqliteStore store;

    @BeforeEach
    void open() {
        store = SqliteFiles.create(dir);
        publish("first");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_publish_into_a_deleted_file_is_refused() throws IOException {
        Files.delete(SqliteFiles.in(dir));
        assertThatThrownBy(() -> publish("a"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the file was deleted or moved away while the store was open");
        assertThat(SqliteFiles.in(dir)).doesNotExist();
    }

    @Test
    void a_publish_into_a_replaced_file_is_refused_and_says_how_to_go_on() throws IOException {
        Path other = Files.createDirectory(dir.resolve("other"));
        SqliteFiles.create(other).close();
        Files.move(SqliteFiles.in(other), SqliteFiles.in(dir), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> publish("a"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("another file was put in the place")
                .hasMessageContaining("Stop every process that uses the store");
        assertThatThrownBy(() -> publish("b")).isInstanceOf(StoreException.class);
    }

    @Test
    void a_store_whose_file_comes_back_goes_on() throws IOException {
        Path aside = dir.resolve("aside.db");
        Files.move(SqliteFiles.in(dir), aside);
        assertThatThrownBy(() -> publish("a")).isInstanceOf(StoreException.class);
        Files.move(aside, SqliteFiles.in(dir));
        assertThat(publish("b")).containsExactly(PublishResult.ACCEPTED);
    }

    @Test
    void a_connection_that_is_opened_anew_creates_no_empty_file() throws IOException {
        assertThatThrownBy(() -> store.writer().write(Sync.DURABLE, 0, session -> {
                    session.execute("no statement at all"); // the writer closes the connection after an error of SQLite
                    return null;
                }))
                .isInstanceOf(StoreException.class);
        Files.delete(SqliteFiles.in(dir));
        assertThatThrownBy(() -> publish("a"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the file was deleted or moved away");
        assertThat(SqliteFiles.in(dir)).doesNotExist();
    }

    private List<PublishResult> publish(String id) {
        return store.publish(
                List.of(Event.named("order.paid")
                        .id(id)
                        .source("shop")
                        .created(NOW)
                        .build()),
                NOW);
    }
}
