package io.redrive.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Creates the tables of an empty file: runs the migrations in one transaction and leaves the row that Flyway writes for a
 * baseline, so that Flyway continues with the next migration. Starting Flyway takes about a second, the migrations themselves
 * some milliseconds, and a command or a test that creates a store should not wait for more.
 */
final class SqliteNewTables {

    /** The migrations in {@code db/sqlite}, in their order; a test compares the list with the folder. */
    static final List<String> SCRIPTS = List.of(
            "V1__events_and_dead_letters",
            "V2__runs",
            "V3__shared_notes",
            "V4__trail_beside_its_sample",
            "V5__run_pauses",
            "V6__shorter_trail",
            "V7__passed_samples_by_the_block",
            "V8__set_aside_and_scheduled",
            "V10__one_action_per_command",
            "V11__handled_keys",
            "V12__time_worked_and_crashes",
            "V13__run_costs",
            "V14__clock_set_back",
            "V15__activity",
            "V16__causes",
            "V17__letter_versions",
            "V18__redrive_operations",
            "V19__journal",
            "V20__handled_samples",
            "V23__neighbours_of_suspects");

    /** The table as Flyway creates it, with one row that says: the file began with this version. */
    private static final String HISTORY = """
            CREATE TABLE "%1$s" (
                "installed_rank" INT NOT NULL PRIMARY KEY,
                "version" VARCHAR(50),
                "description" VARCHAR(200) NOT NULL,
                "type" VARCHAR(20) NOT NULL,
                "script" VARCHAR(1000) NOT NULL,
                "checksum" INT,
                "installed_by" VARCHAR(100) NOT NULL,
                "installed_on" TEXT NOT NULL DEFAULT (strftime('%%Y-%%m-%%d %%H:%%M:%%f','now')),
                "execution_time" INT NOT NULL,
                "success" BOOLEAN NOT NULL
            );
            CREATE INDEX "%1$s_s_idx" ON "%1$s" ("success");
            INSERT INTO "%1$s" (installed_rank, version, description, type, script, installed_by, execution_time, success)
                VALUES (1, '%2$d', '<< Flyway Baseline >>', 'BASELINE', '<< Flyway Baseline >>', '', 0, 1);
            """;

    private SqliteNewTables() {}

    /** Returns the version of a script: 17 for {@code V17__letter_versions}. */
    static int version(String script) {
        return Integer.parseInt(script.substring(1, script.indexOf("__")));
    }

    /**
     * Creates all tables when the file is empty. A file with tables stays as it is: Flyway migrates it, or another process
     * was faster.
     */
    static void createIfEmpty(SqliteSession session, String history) throws SQLException {
        if (!isEmpty(session)) {
            return;
        }
        session.begin(SqliteSql.BEGIN_WRITING);
        try {
            if (isEmpty(session)) {
                for (String script : SCRIPTS) {
                    session.executeAll(text(script));
                }
                session.executeAll(HISTORY.formatted(history, SqliteMigrations.VERSION));
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

    private static String text(String script) {
        try (InputStream in = SqliteNewTables.class.getResourceAsStream("/db/sqlite/" + script + ".sql")) {
            if (in == null) {
                throw new IllegalStateException("migration " + script + ".sql is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
