package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import io.redrive.items.AttemptStatus;
import io.redrive.items.Codec;
import io.redrive.items.Commit;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Lease;
import io.redrive.items.Outcome;
import io.redrive.items.Run;
import io.redrive.items.RunArchive;
import io.redrive.items.RunDefinition;
import io.redrive.items.RunStatus;
import io.redrive.items.RunStore;
import io.redrive.items.SampleRecord;
import io.redrive.items.SampleRecord.Progress;
import io.redrive.items.SampleState;
import io.redrive.items.Source;
import io.redrive.items.Stage;
import io.redrive.items.StageAttempt;
import io.redrive.items.StageCounts;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples that reach their end before they had to be written share rows, and nobody who asks for them sees that. */
final class SqlitePassedTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.000123Z");

    @TempDir
    Path dir;

    private Path file;
    private RunStore store;
    private RunArchive archive;

    @BeforeEach
    void open() {
        file = dir.resolve("runs.db");
        store = SqliteRunStore.open(file);
        archive = store.archive();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void each_sample_is_found_with_its_trail_wherever_its_block_begins() throws SQLException {
        Lease lease = join("march");
        // Commits end in the middle of blocks, and one comes out of order.
        commit(lease, 2, range(0, 70));
        List<Integer> backwards = new ArrayList<>(range(70, 200));
        Collections.reverse(backwards);
        commit(lease, 3, backwards);
        commit(lease, 4, range(200, 300));

        for (int i = 0; i < 300; i++) {
            assertThat(archive.sample("march", i)).contains(succeeded(i));
            assertThat(archive.attempts("march", i)).containsExactly(line(i));
        }
        assertThat(archive.sample("march", 300)).isEmpty();
        assertThat(archive.attempts("march", 300)).isEmpty();
        assertThat(archive.sampleById("march", "s77")).contains(succeeded(77));
        assertThat(archive.sampleById("march", "s300")).isEmpty();
        assertThat(archive.retries("march")).containsExactly(Map.entry(0, 300L));
        assertThat(count("run_samples")).isZero();
        assertThat(count("run_passed")).isLessThan(145);
    }

    @Test
    void runs_do_not_see_each_other_s_and_go_with_all_they_have() throws SQLException {
        commit(join("march"), 2, range(0, 100));
        Lease april = join("april");
        commit(april, 2, range(0, 3));
        assertThat(archive.sample("april", 3)).isEmpty();
        assertThat(archive.retries("april")).containsEntry(0, 3L);

        store.leave(april, RunStatus.STOPPED, NOW);
        assertThat(archive.delete("april", NOW)).isTrue();
        assertThat(archive.sample("april", 0)).isEmpty();
        assertThat(archive.retries("march")).containsEntry(0, 100L);
        assertThat(count("run_passed")).isEqualTo(2);
    }

    @Test
    void odd_ids_and_reasons_come_back_as_they_were() {
        String odd = "\"id\" \\ \u9577\u3044 \uD83D\uDE00 " + "x".repeat(200);
        String why = "because \"of\" \\ \u00e9\n" + "y".repeat(900);
        Lease lease = join("march");
        StageAttempt skipped = new StageAttempt(
                0, 1, "fetch", "abc", 1, AttemptStatus.SKIPPED, "", why, Duration.ZERO, Duration.ofNanos(7), NOW);
        SampleRecord sample = new SampleRecord(
                0,
                odd,
                SampleState.SKIPPED,
                0,
                new Progress(0, 1, null, Duration.ZERO, null),
                null,
                false,
                false,
                null);
        List<Commit.Change> changes = new ArrayList<>(List.of(new Commit.Change(sample, List.of(skipped))));
        range(1, 64).forEach(i -> changes.add(change(i, odd)));
        commitAll(lease, 2, changes, 64);

        assertThat(archive.sample("march", 0)).contains(sample);
        assertThat(archive.attempts("march", 0)).containsExactly(skipped);
        assertThat(archive.sample("march", 63).orElseThrow().id()).isEqualTo(odd);
        assertThat(archive.attempts("march", 63)).containsExactly(line(63));
    }

    @Test
    void times_before_1970_are_kept() {
        Lease lease = join("march");
        StageAttempt early = new StageAttempt(
                0,
                1,
                "fetch",
                "abc",
                1,
                AttemptStatus.SUCCESS,
                "",
                "",
                Duration.ZERO,
                Duration.ZERO,
                Instant.parse("1969-12-31T23:59:59.999999Z"));
        commitAll(lease, 2, List.of(new Commit.Change(succeeded(0), List.of(early))), 1);
        assertThat(archive.attempts("march", 0)).containsExactly(early);
    }

    @Test
    void a_run_of_all_sorts_is_told_whole() throws SQLException {
        // Every third is skipped, every tenth is retried, and most likely written on its way; every fiftieth dies.
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
        ItemPipeline<String, String> pipeline = ItemPipeline.named("sorts", Codec.text())
                .stage(fetch.policy(onUnavailable))
                .stage(Stage.of(
                        "odd",
                        Codec.text(),
                        (value, context) ->
                                context.ordinal() % 3 == 0 ? Outcome.skip("a third") : Outcome.value(value)))
                .build();
        Run.of(pipeline, store)
                .id("march")
                .from(Source.stream(() -> IntStream.range(0, 500).mapToObj(i -> "s" + i), value -> value))
                .run();

        assertThat(count("run_samples")).as("at least the dead").isGreaterThanOrEqualTo(10);
        assertThat(archive.retries("march")).containsEntry(1, 50L).containsEntry(0, 450L);
        StageCounts fetched = archive.stages("march").get(0);
        assertThat(fetched.succeeded()).isEqualTo(490);
        assertThat(fetched.retried()).isEqualTo(50);
        assertThat(fetched.failed()).isEqualTo(10);
        StageCounts odd = archive.stages("march").get(1);
        assertThat(odd.skipped() + odd.succeeded()).isEqualTo(490);
        assertThat(archive.errors("march", 10))
                .extracting(error -> error.errorType())
                .containsExactly("http_503", "http_400");
        assertThat(count("run_audit")).isEqualTo(490 + 50 + 10 + 490);
        for (int i = 0; i < 500; i++) {
            assertThat(archive.sample("march", i).orElseThrow().id()).isEqualTo("s" + i);
            assertThat(archive.attempts("march", i).size())
                    .isEqualTo(
                            archive.sample("march", i).orElseThrow().progress().sequence());
        }
    }

    private Lease join(String run) {
        store.open(new RunDefinition(run, "texts", List.of("fetch"), ""), NOW);
        return store.join(run, "here", Duration.ofMinutes(1), NOW);
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private void commit(Lease lease, long number, List<Integer> ordinals) {
        int taken = ordinals.stream().mapToInt(i -> i).max().orElseThrow() + 1;
        commitAll(lease, number, ordinals.stream().map(i -> change(i, "s" + i)).toList(), taken);
    }

    private void commitAll(Lease lease, long number, List<Commit.Change> changes, int taken) {
        Commit.Taken all = new Commit.Taken(taken, 1, false, OptionalLong.empty());
        assertThat(store.commit(new Commit(lease, number, Optional.of(all), changes, Optional.empty()), NOW))
                .isPresent();
    }

    private static Commit.Change change(int ordinal, String id) {
        SampleRecord sample = succeeded(ordinal);
        return new Commit.Change(
                new SampleRecord(
                        ordinal, id, sample.state(), sample.stage(), sample.progress(), null, false, false, null),
                List.of(line(ordinal)));
    }

    private static SampleRecord succeeded(int ordinal) {
        return new SampleRecord(
                ordinal,
                "s" + ordinal,
                SampleState.SUCCEEDED,
                1,
                new Progress(0, 1, null, Duration.ZERO, null),
                null,
                false,
                false,
                null);
    }

    private static StageAttempt line(int ordinal) {
        return new StageAttempt(
                ordinal,
                1,
                "fetch",
                "abc",
                1,
                AttemptStatus.SUCCESS,
                "",
                "",
                Duration.ZERO,
                Duration.ofNanos(1_000L * ordinal),
                NOW.plusMillis(ordinal));
    }

    private long count(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            return row.getLong(1);
        }
    }
}
