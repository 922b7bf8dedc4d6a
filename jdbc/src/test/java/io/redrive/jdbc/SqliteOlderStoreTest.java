package io.redrive.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with tables of older versions and rows in them: opening brings the tables up to date and loses no row. */
class SqliteOlderStoreTest {

    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"1", "15", "23"})
    void a_file_of_an_older_version_keeps_its_rows_and_counts_them(String version) throws SQLException {
        Path file = dir.resolve("store.db");
        SqliteTrailTest.migrateTo(version, file);
        List<String> rows = new ArrayList<>(OlderStore.rows("", "CAST('old' AS BLOB)", !version.equals("1")));
        for (int seq = 11; seq < 13; seq++) {
            String id = "e" + (seq - 11);
            rows.add("INSERT INTO events (seq, state, queue, due_at, event_id, correlation_id, name, source, priority,"
                    + " content_type, created_at, payload) VALUES (" + seq + ", 0, 1, 1767225600000000, '" + id
                    + "', '', 'order.paid', 'shop', 1, 'text/plain', 1767225600000000, x'00')");
            rows.add("INSERT INTO event_keys (seq, event_id, correlation_id, seen_at) VALUES (" + seq + ", '" + id
                    + "', '', 1767225600000000)");
        }
        rows.add("UPDATE counters SET position = 100, token = 100");
        SqliteTrailTest.execute(file, rows.toArray(String[]::new));
        try (SqliteStore store = SqliteStore.open(file)) {
            OlderStore.check(store, version);
        }
    }
}
