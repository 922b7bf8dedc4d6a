package io.redrive.jdbc;

import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Runs in one SQLite file, with no server to install; the same file may hold events too. What was committed survives the
 * death of the process and, by default, of the machine. Payloads above {@link #INLINE_PAYLOAD} bytes are kept as files in a
 * folder beside the database. Several runs, and several processes on one machine, may share a file. Thread-safe.
 *
 * <pre>{@code
 * try (RunStore store = SqliteRunStore.open(Path.of("runs.db"))) {
 *     Run.of(pipeline, store).id("march").from(source).to(sink).run();
 * }
 * }</pre>
 */
public final class SqliteRunStore extends SqlRunStore {

    /** Payloads of more bytes than this are kept as files beside the database. */
    public static final int INLINE_PAYLOAD = 64 * 1024;

    private final Tables tables;

    private SqliteRunStore(Tables tables) {
        super(tables, new PayloadFiles(Path.of(tables.file + "-payloads"), INLINE_PAYLOAD));
        this.tables = tables;
    }

    /** Opens the store in this file with the default options; the file is created when it does not exist. */
    public static SqliteRunStore open(Path path) {
        return open(path, SqliteOptions.DEFAULT);
    }

    /** Opens the store in this file; of the options, those about payloads and keys are for events and not looked at. */
    public static SqliteRunStore open(Path path, SqliteOptions options) {
        SqliteFile file = new SqliteFile(path, options);
        try {
            try (SqliteSession session = file.openToInspect()) {
                SqliteMigrations.migrate(file, session);
            }
            SqliteGroupCommitWriter writer =
                    new SqliteGroupCommitWriter(file, file.openWriter(), options.survivesPowerLoss());
            return new SqliteRunStore(new Tables(file.path(), writer, new SqliteReaders(file)));
        } catch (SQLException e) {
            throw SqliteErrors.explained(file.path(), e);
        }
    }

    @Override
    public void close() {
        // The writer last: only a connection that may write brings the log into the file when it is the last to close.
        try {
            tables.readers.close();
        } catch (SQLException e) {
            throw SqliteErrors.explained(tables.file, e);
        } finally {
            tables.writer.close();
        }
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
