package io.redrive.jdbc;

import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas with tables of older versions and rows in them: opening brings the tables up to date and loses no row. */
class PostgresOlderStoreIT {

    private static final String SCHEMA = "older";

    private final PostgresServer server = PostgresServer.get();

    @ParameterizedTest
    @ValueSource(strings = {"1", "11", "19", "31", "33"})
    void a_schema_of_an_older_version_keeps_its_rows_and_counts_them(String version) {
        server.execute("DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
        Flyway.configure(PostgresOlderStoreIT.class.getClassLoader())
                .dataSource(server.source())
                .locations("classpath:db/postgres")
                .schemas(SCHEMA)
                .table("schema_history")
                .target(version)
                .loggers(MigrationLog.class.getName())
                .load()
                .migrate();
        List<String> rows =
                new ArrayList<>(OlderStore.rows("older.", "convert_to('old', 'UTF8')", !version.equals("1")));
        for (int seq = 11; seq < 13; seq++) {
            String id = "e" + (seq - 11);
            rows.add(
                    "INSERT INTO older.events (seq, created_at, due_at, priority, event_id, correlation_id, name, source,"
                            + " content_type, payload) VALUES (" + seq + ", 1767225600000000, 1767225600000000, 1, '"
                            + id
                            + "', '', 'order.paid', 'shop', 'text/plain', ''::bytea)");
            rows.add("INSERT INTO older.ready (due_at, seq, size, queue) VALUES (1767225600000000, " + seq + ", 0, 1)");
            rows.add("INSERT INTO older.event_keys (event_id, correlation_id, seen_at) VALUES ('" + id
                    + "', '', (extract(epoch FROM now()) * 1000000)::bigint)");
        }
        rows.add("SELECT setval('older.positions', 100)");
        rows.forEach(row -> server.execute(row));
        try (PostgresStore store = PostgresStore.open(server.url(), PostgresOptions.DEFAULT.withSchema(SCHEMA))) {
            OlderStore.check(store, version);
        }
    }
}
