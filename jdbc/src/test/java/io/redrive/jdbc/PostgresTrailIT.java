package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import io.redrive.items.AttemptStatus;
import io.redrive.items.Codec;
import io.redrive.items.ErrorCount;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Outcome;
import io.redrive.items.Run;
import io.redrive.items.RunArchive;
import io.redrive.items.Source;
import io.redrive.items.Stage;
import io.redrive.items.StageAttempt;
import io.redrive.items.StageCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The audit trail on a real server: in the rows of samples that ran straight through, and in rows of its own. */
@Timeout(120)
final class PostgresTrailIT {

    private static final String WHY = "not \"this\" \\ one: \u9577\u3044 \uD83D\uDE00\n";

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
        server.execute(
                "INSERT INTO old_trail.runs (number, id, pipeline, stages, origin, status, taken, created_at, updated_at)"
                        + " OVERRIDING SYSTEM VALUE VALUES (1, 'march', 'texts', '[\"fetch\"]', '', 'stopped', 1, 1, 1)");
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
            Run.of(pipeline(), store)
                    .id("march")
                    .from(Source.stream(() -> IntStream.range(0, 500).mapToObj(i -> "s" + i), value -> value))
                    .run();

            RunArchive archive = store.archive();
            assertThat(archive.retries("march")).containsEntry(1, 50L).containsEntry(0, 450L);
            List<StageCounts> stages = archive.stages("march");
            assertThat(stages)
                    .extracting(StageCounts::stage, StageCounts::succeeded, StageCounts::retried, StageCounts::failed)
                    .startsWith(tuple("fetch", 490L, 50L, 10L));
            assertThat(stages.get(1).succeeded() + stages.get(1).skipped()).isEqualTo(490);
            assertThat(archive.errors("march", 10))
                    .extracting(ErrorCount::errorType)
                    .containsExactly("http_503", "http_400");
            for (int i = 0; i < 500; i++) {
                List<StageAttempt> trail = archive.attempts("march", i);
                int lines = archive.sample("march", i).orElseThrow().progress().sequence();
                assertThat(trail).extracting(StageAttempt::sequence).isEqualTo(numbers(lines));
            }
            assertThat(archive.attempts("march", 3))
                    .extracting(StageAttempt::stage, StageAttempt::status, StageAttempt::message)
                    .containsExactly(
                            tuple("fetch", AttemptStatus.SUCCESS, ""), tuple("odd", AttemptStatus.SKIPPED, WHY));
            assertThat(server.count("SELECT count(*) FROM trail.run_audit")).isEqualTo(490 + 50 + 10 + 490);
            assertThat(server.count("SELECT count(*) FROM trail.run_attempts"))
                    .as("rows, at least of those that died")
                    .isGreaterThanOrEqualTo(10);
            assertThat(archive.delete("march", Instant.now())).isTrue();
            assertThat(server.count("SELECT count(*) FROM trail.run_trail")).isZero();
        }
    }

    private static List<Integer> numbers(int to) {
        return IntStream.rangeClosed(1, to).boxed().toList();
    }

    /** Every third is skipped, every tenth is retried, every fiftieth dies. */
    private static ItemPipeline<String, String> pipeline() {
        RetryPolicy onUnavailable = RetryPolicy.builder()
                .retryOnStatus(503)
                .backoff(Backoff.fixed(Duration.ofMillis(200)))
                .build();
        Stage<String, String> fetch = Stage.of("fetch", Codec.text(), (value, context) -> {
            if (context.ordinal() % 50 == 1) {
                return Outcome.failed(Failure.status(400));
            }
            boolean fails = context.ordinal() % 10 == 0 && context.attempt() == 1;
            return fails ? Outcome.failed(Failure.status(503)) : Outcome.value(value);
        });
        Stage<String, String> odd = Stage.of(
                "odd",
                Codec.text(),
                (value, context) -> context.ordinal() % 3 == 0 ? Outcome.skip(WHY) : Outcome.value(value));
        return ItemPipeline.named("sorts", Codec.text())
                .stage(fetch.policy(onUnavailable))
                .stage(odd)
                .build();
    }

    private PostgresRunStore open(String schema) {
        return PostgresRunStore.open(server.url(), PostgresOptions.DEFAULT.withSchema(schema));
    }
}
