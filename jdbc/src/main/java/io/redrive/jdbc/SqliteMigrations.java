package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.sqlite.SQLiteDataSource;

/**
 * Migrates the file's tables. Flyway runs only for files of an older version: starting Flyway takes longer than opening a
 * store, and short commands open a store too. {@link SqliteNewTables} fills an empty file.
 */
final class SqliteMigrations {

    /** The version of the last migration. */
    static final int VERSION = SqliteNewTables.version(SqliteNewTables.SCRIPTS.get(SqliteNewTables.SCRIPTS.size() - 1));

    private static final String LOCATION = "classpath:db/sqlite";
    private static final String HISTORY = "redrive_schema";
    private static final int TRIES = 5;

    private SqliteMigrations() {}

    static void migrate(SqliteFile file, SqliteSession session) throws SQLException {
        SqliteNewTables.createIfEmpty(session, HISTORY);
        for (int tried = 1; ; tried++) {
            int found = version(session);
            if (found == VERSION) {
                return;
            }
            if (found > VERSION) {
                throw new StoreException("store " + file.path() + ": written by a newer Redrive (schema " + found
                        + ", this one knows " + VERSION + "); upgrade Redrive, or choose another path");
            }
            try {
                runFlyway(file);
            } catch (FlywayException e) {
                // Another process may be creating the same tables: read the version again.
                if (tried == TRIES) {
                    throw new StoreException(
                            "store " + file.path()
                                    + ": its tables cannot be brought up to date; is it a Redrive store? ("
                                    + e.getMessage() + ")",
                            e);
                }
            }
        }
    }

    private static int version(SqliteSession session) throws SQLException {
        try (ResultSet exists =
                session.prepare(SqliteSql.HAS_TABLE.formatted(HISTORY)).executeQuery()) {
            if (!exists.next()) {
                return 0;
            }
        }
        try (ResultSet row =
                session.prepare(SqliteSql.SCHEMA_VERSION.formatted(HISTORY)).executeQuery()) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    private static void runFlyway(SqliteFile file) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl(file.url());
        Flyway.configure(SqliteMigrations.class.getClassLoader())
                .dataSource(source)
                .locations(LOCATION)
                .table(HISTORY)
                .loggers(MigrationLog.class.getName())
                .load()
                .migrate();
    }
}
