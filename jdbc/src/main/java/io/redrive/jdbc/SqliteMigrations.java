package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.sqlite.SQLiteDataSource;

/**
 * Migrates the file's tables. Flyway runs only for files of an older version: starting Flyway takes longer than opening a
 * store, and short commands open a store too. An empty file gets its tables without Flyway.
 */
final class SqliteMigrations {

    /** The version of the last migration. */
    static final int VERSION = MigrationScripts.SQLITE.version();

    private static final String LOCATION = "classpath:db/sqlite";
    private static final String HISTORY = "redrive_schema";
    private static final int TRIES = 5;

    /**
     * Tables and first rows of a file that went through all migrations, with the row that Flyway writes for a baseline. One
     * script instead of all migrations: most of these change tables of the earlier ones, which takes longer than creating the
     * tables as they are now. A test compares the script with the migrations.
     */
    private static final String NEW_FILE = "/db/new/sqlite.sql";

    private SqliteMigrations() {}

    /** Brings the file up to date, and creates the tables of a new file. */
    static void migrate(SqliteFile file) throws SQLException {
        // Read before the first connection of the process, which waits for the native library in any case.
        Optional<String> tables = file.exists() ? Optional.empty() : Optional.of(newFile());
        try (SqliteSession session = file.openToInspect()) {
            createIfEmpty(session, tables);
            migrate(file, session);
        }
    }

    private static void migrate(SqliteFile file, SqliteSession session) throws SQLException {
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

    /**
     * Creates all tables in one transaction when the file is empty. A file with tables stays as it is: Flyway migrates it, or
     * another process was faster.
     */
    private static void createIfEmpty(SqliteSession session, Optional<String> tables) throws SQLException {
        if (!isEmpty(session)) {
            return;
        }
        session.begin(SqliteSql.BEGIN_WRITING);
        try {
            if (isEmpty(session)) {
                session.executeAll(tables.isPresent() ? tables.get() : newFile());
            }
            session.commit();
        } catch (SQLException e) {
            session.rollback();
            throw e;
        }
    }

    private static String newFile() {
        return MigrationScripts.text(NEW_FILE);
    }

    private static boolean isEmpty(SqliteSession session) throws SQLException {
        try (ResultSet row = session.prepare(SqliteSql.HAS_ANY_TABLE).executeQuery()) {
            return !row.next();
        }
    }

    private static int version(SqliteSession session) throws SQLException {
        try (ResultSet exists = session.prepare(SqliteSql.HAS_HISTORY).executeQuery()) {
            if (!exists.next()) {
                return 0;
            }
        }
        try (ResultSet row = session.prepare(SqliteSql.SCHEMA_VERSION).executeQuery()) {
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
