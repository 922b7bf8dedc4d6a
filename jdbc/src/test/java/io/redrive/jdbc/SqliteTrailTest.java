package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.run.Run;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.StageAttempt;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The audit trail in the rows of its samples. */
final class SqliteTrailTest {

    private static final String WHY = "longer than \"two\": \u9577\u3044";

    @TempDir
    Path dir;

    @Test
    void a_store_that_had_a_row_for_each_line_keeps_its_trail() throws SQLException {
        Path file = dir.resolve("old.db");
        migrateTo("3", file);
        execute(
                file,
                "INSERT INTO runs (number, id, pipeline, stages, origin, status, taken, created_at, updated_at)"
                        + " VALUES (1, 'march', 'texts', '[\"fetch\"]', '', 'stopped', 1, 1, 1)",
                "INSERT INTO run_stages (number, run, stage, hash) VALUES (7, 1, 'fetch', 'abc')",
                "INSERT INTO run_samples (sample, run, state, stage, sequence, id) VALUES (1 << 40, 1, 1, 1, 2, 's0')",
                "INSERT INTO run_attempts VALUES (1 << 40, 2, 7, 2, 0, 3000000, 5000, 0, NULL, NULL)",
                "INSERT INTO run_attempts VALUES (1 << 40, 1, 7, 1, 1, 1000000, 4000, 9, 'http_429', 'slow \"down\"')");

        try (RunStore store = SqliteRunStore.open(file)) {
            List<StageAttempt> trail = store.archive().attempts("march", 0);
            assertThat(trail)
                    .extracting(StageAttempt::sequence, StageAttempt::attempt)
                    .containsExactly(tuple(1, 1), tuple(2, 2));
            assertThat(trail)
                    .extracting(StageAttempt::status)
                    .containsExactly(AttemptStatus.RETRYING, AttemptStatus.SUCCESS);
            assertThat(trail.get(0).message()).isEqualTo("slow \"down\"");
            assertThat(store.archive().retries("march")).containsEntry(1, 1L);
        }
    }

    @Test
    void every_attempt_is_a_row_of_the_view_for_people() throws SQLException {
        Path file = dir.resolve("runs.db");
        ItemPipeline<String, String> pipeline = ItemPipeline.named("texts", Codec.text())
                .stage(Stage.map("trim", String::strip))
                .stage(Stage.of(
                        "short",
                        Codec.text(),
                        (value, context) -> value.length() < 3 ? StageOutcome.value(value) : StageOutcome.skip(WHY)))
                .build();
        try (RunStore store = SqliteRunStore.open(file)) {
            Run.of(pipeline, store)
                    .id("march")
                    .from(SampleSource.of(List.of(" a ", "abc")))
                    .run();
        }

        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT group_concat(line, ' | ') FROM ("
                        + "SELECT ordinal || ' ' || stage || ' ' || attempt || ' ' || status || coalesce(' ' || error_message, '') AS line"
                        + " FROM run_audit WHERE run = 'march' ORDER BY ordinal, stage DESC)")) {
            assertThat(row.getString(1))
                    .isEqualTo("0 trim 1 success | 0 short 1 success | 1 trim 1 success | 1 short 1 skipped " + WHY);
        }
    }

    @Test
    void an_attempt_that_succeeded_at_once_takes_three_numbers() throws SQLException {
        Path file = dir.resolve("runs.db");
        ItemPipeline<String, String> pipeline = ItemPipeline.named("texts", Codec.text())
                .stage(Stage.map("trim", String::strip))
                .stage(Stage.map("lower", String::toLowerCase))
                .build();
        try (RunStore store = SqliteRunStore.open(file)) {
            Run.of(pipeline, store)
                    .id("march")
                    .from(SampleSource.of(List.of(" A ")))
                    .run();
        }

        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT samples FROM run_passed")) {
            assertThat(row.getString(1)).matches("\\[\\[0,1,2,\"1\",\\[\\d+,\\d+,\\d],\\[\\d+,\\d+,\\d]]]");
        }
    }

    static void migrateTo(String version, Path file) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        Flyway.configure(SqliteTrailTest.class.getClassLoader())
                .dataSource(source)
                .locations("classpath:db/sqlite")
                .table("redrive_schema")
                .target(version)
                .loggers(MigrationLog.class.getName())
                .load()
                .migrate();
    }

    static void execute(Path file, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
