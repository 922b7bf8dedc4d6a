package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A file that is created at once has the tables of a file that Flyway created, and Flyway accepts it. */
class MigrationScriptsTest {

    private static final String FIRST_ROWS = """
            INSERT INTO counters (id, position, token) VALUES (1, 0, 0);
            INSERT INTO redrive_schema
                (installed_rank, version, description, type, script, installed_by, execution_time, success)
                VALUES (1, '%d', '<< Flyway Baseline >>', 'BASELINE', '<< Flyway Baseline >>', '', 0, TRUE);
            """;

    @TempDir
    Path folder;

    @Test
    void the_lists_of_migrations_are_the_contents_of_their_folders() throws IOException {
        for (MigrationScripts scripts : List.of(MigrationScripts.SQLITE, MigrationScripts.POSTGRES)) {
            try (var files = Files.list(Path.of("src/main/resources/db", scripts.folder()))) {
                List<String> inOrder = files.map(file -> file.getFileName().toString())
                        .map(name -> name.replace(".sql", ""))
                        .sorted(Comparator.comparing(MigrationScripts::version))
                        .toList();
                assertThat(scripts.names()).isEqualTo(inOrder);
            }
        }
    }

    @Test
    void a_new_file_has_the_tables_and_first_rows_of_a_migrated_file() throws SQLException {
        Path migrated = folder.resolve("migrated.db");
        SqliteTrailTest.migrateTo("latest", migrated);
        Path created = folder.resolve("created.db");
        SqliteStore.open(created).close();

        assertThat(rows(created, "SELECT name, sql FROM sqlite_schema ORDER BY name"))
                .hasSizeGreaterThan(20)
                .isEqualTo(rows(migrated, "SELECT name, sql FROM sqlite_schema ORDER BY name"));
        for (String table : rows(migrated, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
            if (!table.equals("redrive_schema")) {
                assertThat(rows(created, "SELECT * FROM " + table))
                        .as(table)
                        .isEqualTo(rows(migrated, "SELECT * FROM " + table));
            }
        }
    }

    /** After a new migration this test writes the script as it should be. */
    @Test
    void the_script_of_a_new_file_is_the_result_of_all_migrations() throws Exception {
        Path migrated = folder.resolve("migrated.db");
        SqliteTrailTest.migrateTo("latest", migrated);
        StringBuilder script = new StringBuilder(
                "-- Tables and first rows after all migrations. Written by MigrationScriptsTest; never changed by hand.\n");
        for (String statement : rows(migrated, """
                SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
                ORDER BY type = 'trigger', type = 'view', type = 'index', name""")) {
            script.append(statement).append(";\n");
        }
        script.append(FIRST_ROWS.formatted(MigrationScripts.SQLITE.version()));
        Path wanted = Files.writeString(Path.of("target/sqlite.sql"), script.toString());

        assertThat(Path.of("src/main/resources/db/new/sqlite.sql"))
                .as("copy jdbc/%s to this place", wanted)
                .hasSameTextualContentAs(wanted);
    }

    @Test
    void flyway_accepts_a_new_file_and_finds_no_work() {
        Path created = folder.resolve("created.db");
        SqliteStore.open(created).close();
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + created);
        Flyway flyway = Flyway.configure(getClass().getClassLoader())
                .dataSource(source)
                .locations("classpath:db/sqlite")
                .table("redrive_schema")
                .loggers(MigrationLog.class.getName())
                .load();
        flyway.validate();
        assertThat(flyway.info().pending()).isEmpty();
        assertThat(flyway.migrate().migrationsExecuted).isZero();
        SqliteStore.open(created).close();
    }

    @RepeatedTest(5)
    void a_file_that_many_open_at_once_is_created_once() throws Exception {
        Path file = folder.resolve("shared.db");
        int openers = 8;
        CountDownLatch together = new CountDownLatch(openers);
        ExecutorService threads = Executors.newFixedThreadPool(openers);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < openers; i++) {
                all.add(threads.submit(() -> {
                    together.countDown();
                    together.await();
                    SqliteStore.open(file).close();
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(rows(file, "SELECT count(*) FROM redrive_schema")).containsExactly("1");
    }

    private static List<String> rows(Path file, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                StringBuilder text = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    text.append(i == 1 ? "" : "|").append(row.getString(i));
                }
                rows.add(text.toString());
            }
        }
        return rows;
    }
}
