package io.redrive.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.redrive.core.ManualTime;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real server for all tests of a JVM, with the durable settings of production. Each store gets a schema; schemas are
 * reused in turn, because creating tables takes longer than most tests.
 */
final class PostgresServer {

    /** More than the open stores of any test. */
    private static final int SCHEMAS = 4;

    /** Letters go before their counts, which triggers keep. */
    private static final String EMPTY = """
        DO $$ DECLARE part text; BEGIN
            FOR part IN SELECT tablename FROM pg_tables
                WHERE schemaname = '%1$s' AND tablename <> 'schema_history'
                ORDER BY tablename <> 'dead_letters'
            LOOP
                EXECUTE format('DELETE FROM %1$s.%%I', part);
            END LOOP;
        END $$
        """;

    private static PostgresServer started;

    private final EmbeddedPostgres server;
    private final DataSource source;
    private final AtomicInteger stores = new AtomicInteger();
    private final Map<Path, String> schemas = new ConcurrentHashMap<>();

    private PostgresServer() {
        try {
            server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_prepared_transactions", "4")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url());
        source = new HikariDataSource(pool);
    }

    static synchronized PostgresServer get() {
        if (started == null) {
            started = new PostgresServer();
        }
        return started;
    }

    int port() {
        return server.getPort();
    }

    String url() {
        return url("postgres");
    }

    String url(String user) {
        return server.getJdbcUrl(user, "postgres");
    }

    /** Connections with another isolation than usual. */
    DataSource serializable() {
        PGSimpleDataSource serializable = new PGSimpleDataSource();
        serializable.setUrl(url());
        serializable.setOptions("-c default_transaction_isolation=serializable");
        return serializable;
    }

    String schemaOf(Path dir) {
        return schemas.get(dir);
    }

    DataSource source() {
        return source;
    }

    /** A new, empty store on this clock; {@code dir} is its name. */
    PostgresStore create(Path dir, ManualTime time) {
        return create(dir, time, UnaryOperator.identity());
    }

    PostgresStore create(Path dir, ManualTime time, UnaryOperator<PostgresOptions> adjusted) {
        String schema = "store_" + stores.getAndIncrement() % SCHEMAS;
        schemas.put(dir, schema);
        PostgresStore store = open(dir, time, adjusted);
        execute(EMPTY.formatted(schema));
        return store;
    }

    /** Another object on the tables of the store of this name. */
    PostgresStore open(Path dir, ManualTime time) {
        return open(dir, time, UnaryOperator.identity());
    }

    PostgresStore open(Path dir, ManualTime time, UnaryOperator<PostgresOptions> adjusted) {
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema(schemas.get(dir));
        return PostgresStore.open(source, adjusted.apply(options), PostgresClock.steeredBy(time), time);
    }

    /** The runs in the tables of the store of this name. */
    PostgresRunStore openRuns(Path dir, ManualTime time) {
        return PostgresRunStore.open(source, PostgresOptions.DEFAULT.withSchema(schemas.get(dir)), time);
    }

    long count(String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs a statement, and ignores errors with one of the states {@code harmless}. */
    void execute(String sql, String... harmless) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (List.of(harmless).contains(e.getSQLState())) {
                return;
            }
            throw new IllegalStateException(e);
        }
    }
}
