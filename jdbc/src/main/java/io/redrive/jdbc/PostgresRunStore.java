package io.redrive.jdbc;

import io.redrive.core.Time;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Runs in a PostgreSQL database, 13 or newer; several processes on several machines may share a run. The database's
 * clock decides which leases have expired and which samples are due. Thread-safe.
 *
 * <pre>{@code
 * try (RunStore store = PostgresRunStore.open("jdbc:postgresql://localhost/ml?user=ml&password=secret")) {
 *     Run.of(pipeline, store).id("march").from(source).to(sink).run();
 * }
 * }</pre>
 */
public final class PostgresRunStore extends SqlRunStore {

    private final PostgresDatabase database;

    private PostgresRunStore(PostgresDatabase database, PostgresClock clock) {
        // No payload files: the server stores large values outside of their rows by itself.
        super(new Tables(database, clock), new PayloadFiles(Path.of("no-payload-files"), Integer.MAX_VALUE));
        this.database = database;
    }

    /**
     * Opens the store in this database with the default options, and creates missing tables.
     *
     * @throws io.redrive.events.StoreException when the database cannot be reached or its tables cannot be created
     */
    public static PostgresRunStore open(String jdbcUrl) {
        return open(jdbcUrl, PostgresOptions.DEFAULT);
    }

    /**
     * Opens the store in this database with its own pool of connections, and creates missing tables.
     *
     * @throws io.redrive.events.StoreException when the database cannot be reached or its tables cannot be created
     */
    public static PostgresRunStore open(String jdbcUrl, PostgresOptions options) {
        PostgresPool pool = PostgresPool.of(jdbcUrl, options);
        try {
            return open(pool, options, PostgresClock.ofServer());
        } catch (SQLException | RuntimeException e) {
            pool.onClose().run();
            throw e instanceof SQLException cause
                    ? PostgresErrors.explained(pool.address(), cause)
                    : (RuntimeException) e;
        }
    }

    /**
     * Opens the store with the application's own connections. The application sets their time-outs; closing the store
     * leaves the source open.
     *
     * @throws io.redrive.events.StoreException when the database cannot be reached or its tables cannot be created
     */
    public static PostgresRunStore open(DataSource source, PostgresOptions options) {
        return open(source, options, PostgresClock.ofServer());
    }

    /** Opens the store with a database's clock steered by a test. */
    static PostgresRunStore open(DataSource source, PostgresOptions options, Time time) {
        return open(source, options, PostgresClock.steeredBy(time));
    }

    private static PostgresRunStore open(DataSource source, PostgresOptions options, PostgresClock clock) {
        try {
            return open(PostgresPool.of(source), options, clock);
        } catch (SQLException e) {
            throw PostgresErrors.explained("in the given data source", e);
        }
    }

    private static PostgresRunStore open(PostgresPool pool, PostgresOptions options, PostgresClock clock)
            throws SQLException {
        return new PostgresRunStore(PostgresDatabase.open(pool, options), clock);
    }

    @Override
    public void close() {
        database.close();
    }

    private record Tables(PostgresDatabase database, PostgresClock clock) implements Transactions {

        @Override
        public <T> T read(SqlWork<RunSession, T> work) {
            return database.snapshot(session -> work.run(new PostgresRunSession(session, clock)));
        }

        @Override
        public <T> T write(long bytes, SqlWork<RunSession, T> work) {
            return database.transaction(session -> work.run(new PostgresRunSession(session, clock)));
        }

        @Override
        public <T> T writeLeases(SqlWork<RunSession, T> work) {
            return write(0, work);
        }
    }
}
