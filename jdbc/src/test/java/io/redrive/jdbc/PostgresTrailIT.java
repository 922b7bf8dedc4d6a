package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.StageAttempt;
import java.time.Instant;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The audit trail on a real server: inside the rows of samples written once, and in separate rows. */
@Timeout(120)
final class PostgresTrailIT {

    private final PostgresServer server = PostgresServer.get();

    @Test
    void a_store_that_had_a_row_for_each_line_keeps_its_trail() {
        server.execute("DROP SCHEMA IF EXISTS old_trail CASCADE");
        Flyway.configure(PostgresTrailIT.class.getClassLoader())
                .dataSource(server.source())
                .locations("classpath:db/postgres")
                .schemas("old_trail")
                .table("schema_history")
                .target("3")
                .loggers(MigrationLog.class.getName())
                .load()
                .migrate();
        server.execute("INSERT INTO old_trail.runs (number, id, pipeline, stages, origin, status, taken, created_at,"
                + " updated_at) OVERRIDING SYSTEM VALUE VALUES (1, 'march', 'texts', '[\"fetch\"]', '', 'stopped',"
                + " 1, 1, 1)");
        server.execute("INSERT INTO old_trail.run_stages (number, run, stage, hash)"
                + " OVERRIDING SYSTEM VALUE VALUES (7, 1, 'fetch', 'abc')");
        server.execute("INSERT INTO old_trail.run_samples (sample, run, state, stage, sequence, id)"
                + " VALUES (1::bigint << 40, 1, 1, 1, 2, 's0')");
        server.execute("INSERT INTO old_trail.run_attempts"
                + " (sample, sequence, stage, attempt, status, at, duration, delay, error_type, message) VALUES"
                + " (1::bigint << 40, 2, 7, 2, 0, 3000000, 5000, 0, NULL, NULL),"
                + " (1::bigint << 40, 1, 7, 1, 1, 1000000, 4000, 9, 'http_429', 'slow down')");

        try (PostgresRunStore store = open("old_trail")) {
            assertThat(store.archive().attempts("march", 0))
                    .extracting(StageAttempt::sequence, StageAttempt::status, StageAttempt::errorType)
                    .containsExactly(tuple(1, AttemptStatus.RETRYING, "http_429"), tuple(2, AttemptStatus.SUCCESS, ""));
            assertThat(store.archive().retries("march")).containsEntry(1, 1L);
        }
    }

    @Test
    void a_run_of_all_sorts_is_told_whole() {
        server.execute("DROP SCHEMA IF EXISTS trail CASCADE");
        try (PostgresRunStore store = open("trail")) {
            MixedRun.runOn(store);

            assertThat(server.count("SELECT count(*) FROM trail.run_audit")).isEqualTo(MixedRun.LINES);
            assertThat(server.count("SELECT count(*) FROM trail.run_attempts"))
                    .as("rows, at least of those that died")
                    .isGreaterThanOrEqualTo(MixedRun.DEAD);
            assertThat(store.archive().delete(MixedRun.ID, Instant.now())).isTrue();
            assertThat(server.count("SELECT count(*) FROM trail.run_trail")).isZero();
        }
    }

    private PostgresRunStore open(String schema) {
        return PostgresRunStore.open(server.url(), PostgresOptions.DEFAULT.withSchema(schema));
    }
}
