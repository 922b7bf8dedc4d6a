package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Leases: a sample belongs to one process at a time, the samples of a dead process become free, and its late commits
 * are refused.
 */
interface RunLeaseContract extends RunStoreUnderTest {

    @Test
    default void a_process_that_died_is_counted_by_its_run_and_by_the_samples_it_had_begun() {
        RunDriver on = open();
        Lease gone = on.join();
        on.commit(gone, begun(0, 0), begun(1, 2), RunDriver.ready(2, 0, "held"));
        on.pass(RunDriver.LEASE.plusSeconds(1));
        Lease next = on.join("b");
        assertThat(on.run().crashes()).isEqualTo(1);
        assertThat(on.claim(next))
                .extracting(
                        SampleRecord::ordinal,
                        sample -> sample.progress().crashed(),
                        sample -> sample.progress().begun())
                .containsExactlyInAnyOrder(tuple(0L, 1, false), tuple(1L, 3, false), tuple(2L, 0, false));
        on.store().evict(next);
        assertThat(on.run().crashes()).isEqualTo(2);
        assertThat(on.archive().sample("run-1", 1).orElseThrow().progress().crashed())
                .isEqualTo(3);
    }

    @Test
    default void a_process_that_leaves_is_not_counted() {
        RunDriver on = open();
        Lease gone = on.join();
        on.store().evict(gone);
        Lease lease = on.join("b");
        assertThat(on.run().crashes()).isEqualTo(1);
        on.commit(lease, begun(0, 1));
        on.leave(lease);
        assertThat(on.run().crashes()).isZero();
        Lease next = on.join("c");
        assertThat(on.claim(next))
                .singleElement()
                .satisfies(sample -> assertThat(sample.progress().crashed()).isEqualTo(1));
        on.commit(next, on.dead(0, 0, "x"));
        on.archive().reprocess(DeadFilter.ALL, on.now());
        assertThat(on.archive().sample("run-1", 0).orElseThrow().progress().crashed())
                .isZero();
    }

    private static SampleRecord begun(long ordinal, int crashed) {
        SampleRecord.Progress progress = new SampleRecord.Progress(0, 0, null, Duration.ZERO, null, crashed, true);
        return RunDriver.sample(ordinal, SampleState.READY, 0, progress, "p" + ordinal, true, null);
    }

    @Test
    default void a_run_whose_leases_have_run_out_is_interrupted() {
        RunDriver on = open();
        on.join();
        on.pass(RunDriver.LEASE);
        assertThat(on.run().status()).isEqualTo(RunStatus.RUNNING);
        on.pass(Duration.ofMillis(1));
        assertThat(on.run().status()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(on.archive().list(Optional.empty(), 1, on.now()))
                .extracting(RunRecord::status)
                .containsExactly(RunStatus.INTERRUPTED);

        Lease next = on.join("b");
        assertThat(on.run().status()).isEqualTo(RunStatus.RUNNING);
        on.leave(next);
        on.pass(Duration.ofDays(1));
        assertThat(on.run().status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    default void only_time_in_which_a_process_was_there_is_worked() {
        RunDriver on = open();
        Lease first = on.join();
        on.pass(Duration.ofSeconds(10));
        Lease second = on.join("b");
        on.pass(Duration.ofSeconds(5));
        on.leave(first);
        on.pass(Duration.ofSeconds(5));
        on.leave(second);
        assertThat(on.run().worked()).isEqualTo(Duration.ofSeconds(20));

        on.pass(Duration.ofHours(8));
        Lease third = on.join("c");
        on.pass(Duration.ofSeconds(2));
        on.commit(third, RunDriver.succeeded(0));
        assertThat(on.run().worked()).isEqualTo(Duration.ofSeconds(22));
    }

    @Test
    default void the_work_of_a_process_that_died_counts_up_to_its_last_commit() {
        RunDriver on = open();
        Lease first = on.join();
        on.pass(Duration.ofSeconds(10));
        on.commit(first, RunDriver.ready(0, 0, "a"));
        on.pass(Duration.ofHours(8));
        assertThat(on.run().worked()).isEqualTo(Duration.ofSeconds(10));
        Lease second = on.join("b");
        assertThat(on.run().worked()).isEqualTo(Duration.ofSeconds(10));
        on.pass(Duration.ofSeconds(5));
        on.leave(second);
        assertThat(on.run().worked()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    default void a_process_that_is_gone_is_evicted_before_its_lease_runs_out() {
        RunDriver on = open();
        Lease gone = on.join();
        on.pass(Duration.ofSeconds(1));
        on.commit(gone, RunDriver.ready(0, 0, "a"));
        on.pass(Duration.ofSeconds(9));
        on.store().evict(gone);
        on.store().evict(gone);
        assertThat(on.commit(gone, RunDriver.succeeded(0))).isEmpty();
        assertThat(on.run().worked()).isEqualTo(Duration.ofSeconds(1));
        assertThat(on.run().status()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(on.claim(on.join("b"))).hasSize(1);
    }

    @Test
    default void claimed_samples_are_not_claimed_again() {
        RunDriver on = open();
        Lease a = on.join("a");
        Lease b = on.join("b");
        on.commit(a, RunDriver.parked(0), RunDriver.parked(1), RunDriver.ready(2, 0, "mine"));
        assertThat(RunDriver.ordinals(on.claim(b, 1))).containsExactly(0L);
        assertThat(RunDriver.ordinals(on.claim(a))).containsExactly(1L);
        assertThat(on.claim(b)).isEmpty();
    }

    @Test
    default void samples_are_claimed_when_due_the_longest_due_first() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(
                lease,
                RunDriver.parked(0, on.now().plusSeconds(20)),
                RunDriver.parked(1, on.now().plusSeconds(10)),
                RunDriver.parked(2),
                RunDriver.parked(3, on.now().plusSeconds(60)));
        assertThat(RunDriver.ordinals(on.claim(lease))).containsExactly(2L);
        on.pass(Duration.ofSeconds(20));
        assertThat(RunDriver.ordinals(on.claim(lease))).containsExactly(1L, 0L);
    }

    @Test
    default void a_claim_of_samples_not_due_yet_gets_them_in_the_order_of_the_source() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(
                lease,
                RunDriver.parked(0, on.now().plusSeconds(20)),
                RunDriver.parked(1),
                RunDriver.parked(2, on.now().plusSeconds(10)));
        assertThat(RunDriver.ordinals(on.store().claim(lease, 1, 2, Instant.MAX)))
                .containsExactly(0L, 1L);
        assertThat(RunDriver.ordinals(on.store().claim(lease, 2, 2, Instant.MAX)))
                .containsExactly(2L);
    }

    @Test
    default void a_claim_whose_answer_was_lost_gives_the_same_samples_again() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, RunDriver.parked(0), RunDriver.parked(1), RunDriver.parked(2));
        List<SampleRecord> first = on.store().claim(lease, 1, 2, on.now());
        List<SampleRecord> again = on.store().claim(lease, 1, 2, on.now());
        assertThat(RunDriver.ordinals(again))
                .isEqualTo(RunDriver.ordinals(first))
                .containsExactly(0L, 1L);
        assertThat(RunDriver.ordinals(on.store().claim(lease, 2, 2, on.now()))).containsExactly(2L);
    }

    @Test
    default void ended_samples_are_not_claimed() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, RunDriver.succeeded(0), RunDriver.skipped(1), on.dead(2, 0, "x"));
        assertThat(on.claim(lease)).isEmpty();
    }

    @Test
    default void samples_of_a_dead_process_are_free_when_its_lease_has_expired() {
        RunDriver on = open();
        Lease dead = on.join("a");
        on.commit(dead, RunDriver.ready(0, 1, "half done"));
        Lease alive = on.join("b");
        on.pass(RunDriver.LEASE.minusSeconds(1));
        on.extend(alive);
        assertThat(on.claim(alive)).isEmpty();
        on.pass(Duration.ofSeconds(2));
        on.extend(alive);
        assertThat(on.claim(alive)).singleElement().satisfies(sample -> {
            assertThat(sample.stage()).isEqualTo(1);
            assertThat(RunDriver.payload(sample)).isEqualTo("half done");
        });
    }

    @Test
    default void joining_frees_the_samples_of_dead_processes() {
        RunDriver on = open();
        Lease dead = on.join("a");
        on.commit(dead, RunDriver.ready(0, 1, "x"));
        on.pass(RunDriver.LEASE.plusSeconds(1));
        assertThat(on.claim(on.join("b"))).hasSize(1);
        assertThat(on.run().workers()).isEqualTo(1);
    }

    @Test
    default void an_extended_lease_lives_on() {
        RunDriver on = open();
        Lease a = on.join("a");
        on.commit(a, RunDriver.ready(0, 1, "x"));
        on.pass(RunDriver.LEASE.minusSeconds(1));
        assertThat(on.extend(a)).isPresent();
        on.pass(RunDriver.LEASE.minusSeconds(1));
        assertThat(on.claim(on.join("b"))).isEmpty();
        assertThat(on.commit(a, RunDriver.succeeded(0))).isPresent();
    }

    @Test
    default void an_expired_lease_counts_until_another_process_recovers_it() {
        RunDriver on = open();
        Lease sleeper = on.join("a");
        on.pass(RunDriver.LEASE.multipliedBy(10));
        assertThat(on.commit(sleeper, RunDriver.succeeded(0))).isPresent();
    }

    @Test
    default void a_stale_lease_changes_nothing() {
        RunDriver on = open();
        Lease stale = on.join("a");
        on.commit(stale, RunDriver.ready(0, 1, "x"));
        on.pass(RunDriver.LEASE.plusSeconds(1));
        Lease alive = on.join("b");
        assertThat(on.commit(stale, RunDriver.succeeded(0), RunDriver.succeeded(1)))
                .isEmpty();
        assertThat(on.extend(stale)).isEmpty();
        assertThat(on.claim(stale)).isEmpty();
        assertThat(on.store().finish(stale, RunStatus.COMPLETED, on.now())).isEmpty();
        on.store().leave(stale, RunStatus.CANCELLED, on.now());
        assertThat(on.run().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(on.run().totals().processed()).isZero();
        assertThat(on.run().totals().taken()).isEqualTo(1);
        assertThat(RunDriver.ordinals(on.claim(alive))).containsExactly(0L);
    }

    @Test
    default void a_process_that_leaves_gives_its_samples_back() {
        RunDriver on = open();
        Lease a = on.join("a");
        Lease b = on.join("b");
        on.commit(a, RunDriver.ready(0, 0, "x"));
        on.leave(a);
        assertThat(on.claim(b)).hasSize(1);
        assertThat(on.run().status()).isEqualTo(RunStatus.RUNNING);
        on.leave(b);
        assertThat(on.run().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(on.run().ended()).isEqualTo(on.now());
    }

    @Test
    default void who_calls_the_run_off_ends_it_for_all() {
        RunDriver on = open();
        Lease a = on.join("a");
        Lease b = on.join("b");
        on.store().leave(a, RunStatus.BUDGET_EXCEEDED, on.now());
        assertThat(on.extend(b)).get().extracting(RunRecord::status).isEqualTo(RunStatus.BUDGET_EXCEEDED);
        on.leave(b);
        assertThat(on.run().status()).isEqualTo(RunStatus.BUDGET_EXCEEDED);
        on.join("c");
        assertThat(on.run().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(on.run().ended()).isNull();
    }

    @Test
    default void one_process_reads_the_source_until_it_is_gone() {
        RunDriver on = open();
        Lease a = on.join("a");
        Lease b = on.join("b");
        assertThat(on.store()
                        .extend(a, RunDriver.LEASE, true, on.now())
                        .orElseThrow()
                        .reader())
                .isEqualTo(a.token());
        assertThat(on.store()
                        .extend(b, RunDriver.LEASE, true, on.now())
                        .orElseThrow()
                        .reader())
                .isEqualTo(a.token());
        on.leave(a);
        assertThat(on.store()
                        .extend(b, RunDriver.LEASE, true, on.now())
                        .orElseThrow()
                        .reader())
                .isEqualTo(b.token());
        on.pass(RunDriver.LEASE.plusSeconds(1));
        Lease c = on.join("c");
        assertThat(on.store()
                        .extend(c, RunDriver.LEASE, true, on.now())
                        .orElseThrow()
                        .reader())
                .isEqualTo(c.token());
    }

    @Test
    default void who_works_on_a_run_is_known() {
        RunDriver on = open();
        Lease a = on.join("a");
        on.pass(Duration.ofSeconds(1));
        Lease b = on.join("b");
        assertThat(b.token()).isGreaterThan(a.token());
        assertThat(on.archive().workers("run-1"))
                .containsExactly(
                        new WorkerRecord(a, "a", on.now().minusSeconds(1).plus(RunDriver.LEASE)),
                        new WorkerRecord(b, "b", on.now().plus(RunDriver.LEASE)));
        assertThat(on.run().workers()).isEqualTo(2);
        assertThat(on.archive().workers("no-such-run")).isEmpty();
    }

    @Test
    default void several_processes_are_told_how_many_samples_are_unclaimed() {
        RunDriver on = open();
        Lease a = on.join("a");
        on.commit(a, RunDriver.parked(0), RunDriver.parked(1, on.now().plusSeconds(60)));
        assertThat(on.extend(a).orElseThrow().unclaimed()).isZero();
        Lease b = on.join("b");
        assertThat(on.extend(b).orElseThrow().unclaimed()).isEqualTo(1);
    }

    @Test
    default void processes_that_claim_at_the_same_time_share_without_overlap() {
        RunDriver on = open();
        Lease first = on.join("first");
        List<SampleRecord> parked = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            parked.add(RunDriver.parked(i));
        }
        on.commit(first, parked, List.of());
        List<List<Long>> claims = Together.run(4, thread -> {
            Lease lease = on.store().join("run-1", "node-" + thread, RunDriver.LEASE, on.now());
            List<Long> mine = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                mine.addAll(RunDriver.ordinals(on.store().claim(lease, i + 1, 5, on.now())));
            }
            return mine;
        });
        List<Long> all = claims.stream().flatMap(List::stream).toList();
        Set<Long> distinct = new HashSet<>(all);
        assertThat(all).hasSameSizeAs(distinct);
        assertThat(distinct).hasSize(200);
    }
}
