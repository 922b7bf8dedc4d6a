package io.redrive.jdbc;

import io.redrive.events.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
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

    /** Flyway's table as Flyway creates it. */
    private static final String CREATE_HISTORY = """
            CREATE TABLE "redrive_schema" (
                "installed_rank" INT NOT NULL PRIMARY KEY,
                "version" VARCHAR(50),
                "description" VARCHAR(200) NOT NULL,
                "type" VARCHAR(20) NOT NULL,
                "script" VARCHAR(1000) NOT NULL,
                "checksum" INT,
                "installed_by" VARCHAR(100) NOT NULL,
                "installed_on" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')),
                "execution_time" INT NOT NULL,
                "success" BOOLEAN NOT NULL
            );
            CREATE INDEX "redrive_schema_s_idx" ON "redrive_schema" ("success");
            """;

    private SqliteMigrations() {}

    static void migrate(SqliteFile file, SqliteSession session) throws SQLException {
        createIfEmpty(session);
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
    private static void createIfEmpty(SqliteSession session) throws SQLException {
        if (!isEmpty(session)) {
            return;
        }
        session.begin(SqliteSql.BEGIN_WRITING);
        try {
            if (isEmpty(session)) {
                session.executeAll(MigrationScripts.SQLITE.all(CREATE_HISTORY, HISTORY));
            }
            session.commit();
        } catch (SQLException e) {
            session.rollback();
            throw e;
        }
    }

    private static boolean isEmpty(SqliteSession session) throws SQLException {
        try (ResultSet row = session.prepare(SqliteSql.HAS_ANY_TABLE).executeQuery()) {
            return !row.next();
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
