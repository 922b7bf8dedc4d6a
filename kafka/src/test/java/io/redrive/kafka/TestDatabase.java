package io.redrive.kafka;

import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL server, shared by all tests of this JVM. Each store has a schema of its own. */
final class TestDatabase {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private TestDatabase() {}

    /** Starts at its first use: a child process of a test opens the store of its parent, and would leave a server behind when it is killed. */
    private static final class Server {
        static final EmbeddedPostgres STARTED = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static String url() {
        return Server.STARTED.getJdbcUrl("postgres", "postgres");
    }

    /** Returns the name of a schema that no other store has. */
    static String newSchema() {
        return "flow_" + SCHEMAS.incrementAndGet();
    }

    /** Runs a statement, and returns the first column of its rows. */
    static List<String> sql(String statement) throws SQLException {
        try (Connection connection = Server.STARTED.getPostgresDatabase().getConnection();
                Statement run = connection.createStatement()) {
            List<String> texts = new ArrayList<>();
            if (run.execute(statement)) {
                ResultSet rows = run.getResultSet();
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
            return texts;
        }
    }

    static EventStore open(String schema) {
        return open(url(), schema);
    }

    static EventStore open(String url, String schema) {
        return PostgresStore.open(
                url, PostgresOptions.DEFAULT.withSchema(schema).withConnections(6));
    }
}
