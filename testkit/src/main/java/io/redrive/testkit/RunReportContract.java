package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Commit;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Lease;
import io.redrive.items.store.Percentiles;
import io.redrive.items.store.Price;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Throughput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The numbers of a run's report. */
interface RunReportContract extends RunStoreUnderTest {

    /** A price of tokens. */
    Optional<Price> CENTS = Optional.of(Price.parse("0.15 USD/1M"));

    @Test
    default void stages_are_counted_in_their_order() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(
                lease,
                List.of(RunDriver.succeeded(0), RunDriver.skipped(1), on.dead(2, -1, "malformed")),
                List.of(
                        on.attempt(0, 1, "llm", 1, AttemptStatus.RETRYING, "x"),
                        on.attempt(0, 2, "llm", 2, AttemptStatus.SUCCESS, ""),
                        on.attempt(0, 3, "fetch", 1, AttemptStatus.SUCCESS, ""),
                        on.attempt(1, 1, "fetch", 1, AttemptStatus.SKIPPED, ""),
                        on.attempt(2, 1, "source", 1, AttemptStatus.FAILED, "malformed")));
        assertThat(on.archive().stages("run-1"))
                .containsExactly(
                        new StageCounts("source", 0, 0, 1, 0, Duration.ofMillis(5), same(5)),
                        new StageCounts("fetch", 1, 0, 0, 1, Duration.ofMillis(10), same(5)),
                        new StageCounts("llm", 1, 1, 0, 0, Duration.ofMillis(10), same(5)));
    }

    @Test
    default void a_sample_that_was_brought_back_is_not_dead_of_an_error_any_more() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(
                lease,
                List.of(on.dead(0, 1, "http_500"), on.dead(1, 1, "http_500")),
                List.of(
                        on.attempt(0, 1, "llm", 1, AttemptStatus.FAILED, "http_500"),
                        on.attempt(1, 1, "llm", 1, AttemptStatus.FAILED, "http_500")));
        on.archive().reprocess(DeadFilter.ALL, on.now());
        on.claim(lease);
        on.commit(lease, on.dead(0, 1, "http_500"), RunDriver.succeeded(1));

        assertThat(on.archive().errors("run-1", 10))
                .containsExactly(new ErrorCount("llm", "http_500", "http_500 happened", 2, 1));
    }

    @Test
    default void percentiles_are_times_of_attempts() {
        RunDriver on = open();
        Lease lease = on.join();
        List<SampleRecord> samples = new ArrayList<>();
        List<StageAttempt> attempts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            samples.add(RunDriver.succeeded(i));
            StageAttempt attempt = on.attempt(i, 1, "fetch", 1, AttemptStatus.SUCCESS, "");
            attempts.add(new StageAttempt(
                    i,
                    1,
                    "fetch",
                    i % 2 == 0 ? "one" : "two",
                    1,
                    AttemptStatus.SUCCESS,
                    "",
                    "",
                    Duration.ZERO,
                    Duration.ofMillis(200 - i),
                    attempt.at()));
        }
        on.commit(lease, samples, attempts);

        assertThat(on.archive().stages("run-1").get(0).percentiles())
                .isEqualTo(new Percentiles(Duration.ofMillis(100), Duration.ofMillis(190), Duration.ofMillis(198)));
    }

    @Test
    default void throughput_counts_ends_by_the_interval() {
        RunDriver on = open();
        Lease lease = on.join();
        Instant minute = Instant.ofEpochSecond(on.now().getEpochSecond() / 60 * 60);
        on.commit(
                lease,
                List.of(RunDriver.succeeded(0), RunDriver.skipped(1), RunDriver.ready(2, 1, "p")),
                List.of(
                        on.attempt(0, 1, "fetch", 1, AttemptStatus.SUCCESS, ""),
                        on.attempt(0, 2, "save", 1, AttemptStatus.SUCCESS, ""),
                        on.attempt(1, 1, "fetch", 1, AttemptStatus.SKIPPED, ""),
                        on.attempt(2, 1, "fetch", 1, AttemptStatus.RETRYING, "x")));
        on.pass(Duration.ofMinutes(3));
        on.commit(lease, List.of(on.dead(2, 1, "x")), List.of(on.attempt(2, 2, "llm", 1, AttemptStatus.FAILED, "x")));

        assertThat(on.archive().throughput("run-1", Duration.ofMinutes(1)))
                .containsExactly(
                        new Throughput(minute, 1, 1, 0), new Throughput(minute.plus(Duration.ofMinutes(3)), 0, 0, 1));
        assertThat(on.archive().throughput("none", Duration.ofMinutes(1))).isEmpty();
    }

    @Test
    default void the_most_common_errors_come_first() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(
                lease,
                List.of(on.dead(0, 1, "http_500"), RunDriver.succeeded(1)),
                List.of(
                        on.attempt(0, 1, "fetch", 1, AttemptStatus.RETRYING, "http_429"),
                        on.attempt(0, 2, "fetch", 2, AttemptStatus.SUCCESS, ""),
                        on.attempt(0, 3, "llm", 1, AttemptStatus.FAILED, "http_500"),
                        on.attempt(1, 1, "fetch", 1, AttemptStatus.RETRYING, "http_429"),
                        on.attempt(1, 2, "fetch", 2, AttemptStatus.SUCCESS, "")));
        assertThat(on.archive().errors("run-1", 10))
                .containsExactly(
                        new ErrorCount("fetch", "http_429", "http_429 happened", 2, 0),
                        new ErrorCount("llm", "http_500", "http_500 happened", 1, 1));
        assertThat(on.archive().errors("run-1", 1)).hasSize(1);
    }

    @Test
    default void retries_are_counted_by_sample_once_it_has_its_end() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(
                lease,
                List.of(
                        RunDriver.succeeded(0),
                        RunDriver.succeeded(1),
                        on.dead(2, 0, "x"),
                        RunDriver.ready(3, 0, "under way")),
                List.of(
                        on.attempt(0, 1, "fetch", 1, AttemptStatus.SUCCESS, ""),
                        on.attempt(1, 1, "fetch", 1, AttemptStatus.RETRYING, "x"),
                        on.attempt(1, 2, "fetch", 2, AttemptStatus.SUCCESS, ""),
                        on.attempt(1, 3, "llm", 1, AttemptStatus.RETRYING, "x"),
                        on.attempt(1, 4, "llm", 2, AttemptStatus.SUCCESS, ""),
                        on.attempt(2, 1, "fetch", 1, AttemptStatus.RETRYING, "x"),
                        on.attempt(2, 2, "fetch", 2, AttemptStatus.FAILED, "x"),
                        on.attempt(3, 1, "fetch", 1, AttemptStatus.RETRYING, "x")));
        assertThat(on.archive().retries("run-1")).isEqualTo(Map.of(0, 1L, 1, 1L, 2, 1L));
    }

    @Test
    default void costs_are_summed_over_processes_by_stage_unit_and_price() {
        RunDriver on = open();
        Lease one = on.join();
        Lease other = on.join("node-b");
        StageSpending llm = new StageSpending("llm", "tokens", CENTS, 1_000, 20);
        StageSpending fetch = new StageSpending("fetch", "bytes", Optional.empty(), 7, 0);
        on.commitSpending(one, llm, fetch);
        on.commitSpending(other, llm);
        on.leave(one);
        on.leave(other);
        StageSpending dearer = new StageSpending("llm", "tokens", Optional.of(Price.parse("2/1k")), 5, 0);
        on.commitSpending(on.join("node-c"), dearer);

        assertThat(on.archive().spending("run-1"))
                .containsExactlyInAnyOrder(fetch, new StageSpending("llm", "tokens", CENTS, 2_000, 40), dearer);
        assertThat(on.archive().spending("none")).isEmpty();
    }

    @Test
    default void costs_of_a_repeated_commit_count_once_and_costs_of_a_lost_lease_do_not_count() {
        RunDriver on = open();
        Lease lease = on.join();
        StageSpending cost = new StageSpending("llm", "tokens", CENTS, 1_000, 20);
        Commit commit = on.commitSpending(lease, cost);
        on.store().commit(commit, on.now());
        on.leave(lease);
        on.commitSpending(lease, cost);

        assertThat(on.archive().spending("run-1")).containsExactly(cost);
    }

    @Test
    default void costs_without_measure_stop_growing() {
        RunDriver on = open();
        Lease lease = on.join();
        StageSpending all = new StageSpending("llm", "tokens", CENTS, Long.MAX_VALUE, Long.MAX_VALUE);
        for (int i = 0; i < 4; i++) {
            on.commitSpending(lease, all);
        }

        assertThat(on.archive().spending("run-1"))
                .containsExactly(new StageSpending("llm", "tokens", CENTS, StageSpending.MOST, StageSpending.MOST));
    }

    @Test
    default void a_deleted_run_leaves_no_costs_to_the_next_of_its_name() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commitSpending(lease, new StageSpending("llm", "tokens", CENTS, 1_000, 20));
        on.leave(lease);
        on.archive().delete("run-1", on.now());
        on.join();

        assertThat(on.archive().spending("run-1")).isEmpty();
    }

    private static Percentiles same(long millis) {
        return new Percentiles(Duration.ofMillis(millis), Duration.ofMillis(millis), Duration.ofMillis(millis));
    }
}
