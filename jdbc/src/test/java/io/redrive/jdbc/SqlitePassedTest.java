package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
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
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples that end before they were ever written share rows, and queries do not show the difference. */
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
                SampleRecord.Payload.NONE,
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
        StageAttempt early = line(0, 1, Duration.ZERO, Instant.parse("1969-12-31T23:59:59.999999Z"));
        commitAll(lease, 2, List.of(new Commit.Change(succeeded(0), List.of(early))), 1);
        assertThat(archive.attempts("march", 0)).containsExactly(early);
    }

    @Test
    void a_run_that_had_a_row_for_each_sample_goes_on_by_the_block() throws SQLException {
        store.close();
        file = dir.resolve("old.db");
        SqliteTrailTest.migrateTo("6", file);
        SqliteTrailTest.execute(
                file,
                "INSERT INTO runs (number, id, pipeline, stages, origin, status, taken, succeeded, created_at,"
                        + " updated_at) VALUES (1, 'march', 'texts', '[\"fetch\"]', '', 'stopped', 2, 1, 1, 1)",
                "INSERT INTO run_stages (number, run, stage, hash) VALUES (7, 1, 'fetch', 'abc')",
                "INSERT INTO run_samples (sample, run, state, stage, sequence, id, trail)"
                        + " VALUES (1 << 40, 1, 1, 1, 1, 's0', '[1,0,7]')",
                "INSERT INTO run_samples (sample, run, state, stage, sequence, id, payload, trail)"
                        + " VALUES ((1 << 40) + 1, 1, 0, 0, 1, 's1', x'61', '[2,0,7,1,1,9,\"http_429\",null]')");
        store = SqliteRunStore.open(file);
        archive = store.archive();
        assertThat(archive.retries("march")).containsExactly(Map.entry(0, 1L));

        Lease lease = join("march");
        assertThat(store.claim(lease, 1, 10, NOW))
                .extracting(SampleRecord::ordinal)
                .containsExactly(1L);
        commit(lease, 1, range(1, 3));

        for (int i = 0; i < 3; i++) {
            assertThat(archive.sample("march", i).orElseThrow().state()).isEqualTo(SampleState.SUCCEEDED);
            assertThat(archive.sampleById("march", "s" + i)).isEqualTo(archive.sample("march", i));
        }
        assertThat(archive.attempts("march", 1))
                .extracting(StageAttempt::sequence)
                .containsExactly(1, 2);
        assertThat(archive.attempts("march", 2)).containsExactly(line(2));
        assertThat(archive.retries("march")).containsExactly(Map.entry(0, 2L), Map.entry(1, 1L));
        assertThat(count("run_samples")).isEqualTo(2);
        assertThat(count("run_passed")).isEqualTo(1);
        assertThat(count("run_all_samples WHERE run = 1")).isEqualTo(3);
        assertThat(count("run_audit WHERE run = 'march' AND sample_id = 's' || ordinal"))
                .isEqualTo(4);

        store.leave(lease, RunStatus.STOPPED, NOW);
        assertThat(archive.delete("march", NOW)).isTrue();
        assertThat(count("run_all_samples")).isZero();
    }

    @Test
    void every_outcome_of_a_sample_is_read_back_as_committed() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        Random random = new Random(seed);
        Lease lease = join("march");
        List<Commit.Change> all = new ArrayList<>();
        for (int number = 2; number < 12; number++) {
            List<Commit.Change> changes = new ArrayList<>();
            int before = all.size();
            range(before, before + random.nextInt(150)).forEach(i -> changes.add(anything(i, random)));
            all.addAll(changes);
            if (random.nextBoolean()) {
                Collections.shuffle(changes, random);
            }
            commitAll(lease, number, changes, all.size());
        }
        assertThat(all).as("again with -Dredrive.seed=%d", seed).allSatisfy(change -> {
            long ordinal = change.sample().ordinal();
            assertThat(archive.sample("march", ordinal)).contains(change.sample());
            assertThat(archive.attempts("march", ordinal)).isEqualTo(change.lines());
        });
        Map<Integer, Long> retries = all.stream()
                .map(Commit.Change::lines)
                .filter(lines -> !lines.isEmpty())
                .collect(Collectors.groupingBy(
                        lines -> Math.toIntExact(lines.stream()
                                .filter(line -> line.status() == AttemptStatus.RETRYING)
                                .count()),
                        Collectors.counting()));
        assertThat(archive.retries("march"))
                .as("again with -Dredrive.seed=%d", seed)
                .containsExactlyInAnyOrderEntriesOf(retries);
        Duration time = all.stream()
                .flatMap(change -> change.lines().stream())
                .map(StageAttempt::duration)
                .reduce(Duration.ZERO, Duration::plus);
        assertThat(archive.stages("march").stream().map(StageCounts::time).reduce(Duration.ZERO, Duration::plus))
                .as("again with -Dredrive.seed=%d", seed)
                .isEqualTo(time);
    }

    @Test
    void a_trail_may_be_long() {
        Lease lease = join("march");
        List<StageAttempt> lines = new ArrayList<>();
        for (int sequence = 1; sequence <= 2_000; sequence++) {
            lines.add(line(0, sequence, Duration.ofNanos(sequence), NOW));
        }
        Progress progress = new Progress(0, lines.size(), null, Duration.ZERO, null);
        SampleRecord sample =
                new SampleRecord(0, "s0", SampleState.SUCCEEDED, 1, progress, SampleRecord.Payload.NONE, false, null);
        commitAll(lease, 2, List.of(new Commit.Change(sample, lines)), 1);
        assertThat(archive.attempts("march", 0)).isEqualTo(lines);
    }

    @Test
    void a_run_of_all_sorts_is_told_whole() throws SQLException {
        MixedRun.runOn(store);

        assertThat(count("run_samples")).as("at least the dead").isGreaterThanOrEqualTo(MixedRun.DEAD);
        assertThat(count("run_audit")).isEqualTo(MixedRun.LINES);
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
                        ordinal,
                        id,
                        sample.state(),
                        sample.stage(),
                        sample.progress(),
                        SampleRecord.Payload.NONE,
                        false,
                        null),
                List.of(line(ordinal)));
    }

    private static Commit.Change anything(int ordinal, Random random) {
        List<StageAttempt> lines = new ArrayList<>();
        int count = random.nextInt(5);
        for (int sequence = 1; sequence <= count; sequence++) {
            boolean plain = random.nextBoolean();
            lines.add(new StageAttempt(
                    ordinal,
                    sequence,
                    random.nextBoolean() ? "fetch" : StageAttempt.SOURCE,
                    "hash" + random.nextInt(2),
                    random.nextInt(1, 4),
                    plain ? AttemptStatus.SUCCESS : AttemptStatus.values()[random.nextInt(4)],
                    plain ? "" : text(random, 100),
                    plain ? "" : text(random, StageAttempt.MAX_MESSAGE),
                    plain ? Duration.ZERO : Duration.ofNanos(random.nextLong(Long.MAX_VALUE) >> random.nextInt(63)),
                    Duration.ofNanos(random.nextLong(1L << 40) >> random.nextInt(40)),
                    NOW.minusSeconds(random.nextLong(1L << 34))));
        }
        Progress progress = new Progress(0, count, null, Duration.ZERO, null);
        SampleState state = random.nextBoolean() ? SampleState.SUCCEEDED : SampleState.SKIPPED;
        String id = "s" + text(random, 199);
        return new Commit.Change(
                new SampleRecord(
                        ordinal, id, state, random.nextInt(3), progress, SampleRecord.Payload.NONE, false, null),
                lines);
    }

    /** At most {@code max} characters: some are escaped in JSON, some take two, three or four bytes. */
    private static String text(Random random, int max) {
        String[] letters = {"a", "\"", "\\", "/", "\u00e9", "\u2028", "\u9577", "\uD83D\uDE00"};
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(max); text.length() < length - 1; ) {
            text.append(letters[random.nextInt(letters.length)]);
        }
        return text.toString();
    }

    private static SampleRecord succeeded(int ordinal) {
        return new SampleRecord(
                ordinal,
                "s" + ordinal,
                SampleState.SUCCEEDED,
                1,
                new Progress(0, 1, null, Duration.ZERO, null),
                SampleRecord.Payload.NONE,
                false,
                null);
    }

    private static StageAttempt line(int ordinal) {
        return line(ordinal, 1, Duration.ofNanos(1_000L * ordinal), NOW.plusMillis(ordinal));
    }

    private static StageAttempt line(int ordinal, int sequence, Duration duration, Instant at) {
        return new StageAttempt(
                ordinal, sequence, "fetch", "abc", 1, AttemptStatus.SUCCESS, "", "", Duration.ZERO, duration, at);
    }

    private long count(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            return row.getLong(1);
        }
    }
}
