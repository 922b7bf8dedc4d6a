package io.redrive.jdbc;

import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Runs in one SQLite file, with no server to install; the same file may hold events too. Committed work survives a
 * crash of the process and, by default, a power loss. Payloads above {@link #INLINE_PAYLOAD} bytes are files in a
 * folder beside the database. Several runs, and several processes on one machine, may share a file. Thread-safe.
 *
 * <pre>{@code
 * try (RunStore store = SqliteRunStore.open(Path.of("runs.db"))) {
 *     Run.of(pipeline, store).id("march").from(source).to(sink).run();
 * }
 * }</pre>
 */
public final class SqliteRunStore extends SqlRunStore {

    /** Payloads of more bytes than this are files beside the database. */
    public static final int INLINE_PAYLOAD = 64 * 1024;

    private final Tables tables;

    private SqliteRunStore(Tables tables) {
        super(tables, new PayloadFiles(Path.of(tables.file + "-payloads"), INLINE_PAYLOAD));
        this.tables = tables;
    }

    /**
     * Opens the store in this file with the default options, and creates a missing file.
     *
     * @throws io.redrive.events.StoreException when the file cannot be opened or is no store
     */
    public static SqliteRunStore open(Path path) {
        return open(path, SqliteOptions.DEFAULT);
    }

    /**
     * Opens the store in this file, and creates a missing file. {@code maxPayload} and {@code keyRetention} have no
     * effect on runs.
     *
     * @throws io.redrive.events.StoreException when the file cannot be opened or is no store
     */
    public static SqliteRunStore open(Path path, SqliteOptions options) {
        SqliteFile file = new SqliteFile(path, options);
        SqliteGroupCommitWriter writer = new SqliteGroupCommitWriter(file, options.survivesPowerLoss());
        SqliteRunStore store = new SqliteRunStore(new Tables(file.path(), writer, new SqliteReaders(file)));
        try {
            SqliteMigrations.migrate(file);
            writer.start();
            return store;
        } catch (SQLException e) {
            throw SqliteErrors.explained(file.path(), e);
        }
    }

    @Override
    public void close() {
        // Writer last: the last connection to close copies the log into the file, unless that connection is read-only.
        try {
            tables.readers.close();
        } catch (SQLException e) {
            throw SqliteErrors.explained(tables.file, e);
        } finally {
            tables.writer.close();
        }
    }

    /** For tests that look at its transactions. */
    SqliteGroupCommitWriter writer() {
        return tables.writer;
    }

    private record Tables(Path file, SqliteGroupCommitWriter writer, SqliteReaders readers) implements Transactions {

        @Override
        public <T> T read(SqlWork<RunSession, T> work) {
            return readers.read(session -> work.run(new SqliteRunSession(session)));
        }

        @Override
        public <T> T write(long bytes, SqlWork<RunSession, T> work) {
            return writer.write(Sync.DURABLE, bytes, session -> work.run(new SqliteRunSession(session)));
        }

        @Override
        public <T> T writeLeases(SqlWork<RunSession, T> work) {
            return writer.write(Sync.HARMLESS_TO_LOSE, 0, session -> work.run(new SqliteRunSession(session)));
        }
    }
}
