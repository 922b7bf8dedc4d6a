package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.items.store.Commit;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.Totals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs and commits: committed changes are stored completely, and once. */
interface RunCommitContract extends RunStoreUnderTest {

    @Test
    default void a_new_run_is_running_and_empty() {
        RunDriver on = open();
        RunRecord run = on.store().open(RunDriver.RUN, on.now());
        assertThat(run.definition()).isEqualTo(RunDriver.RUN);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(run.totals()).isEqualTo(Totals.NONE);
        assertThat(run.created()).isEqualTo(on.now());
        assertThat(run.ended()).isNull();
        assertThat(run.workers()).isZero();
        assertThat(run.reader()).isZero();
    }

    @Test
    default void opening_a_run_again_finds_it_as_it_is() {
        RunDriver on = open();
        Instant began = on.now();
        Lease lease = on.join();
        on.commit(lease, RunDriver.succeeded(0));
        on.pass(Duration.ofHours(1));
        RunRecord again = on.store().open(RunDriver.RUN, on.now());
        assertThat(again.totals().succeeded()).isEqualTo(1);
        assertThat(again.created()).isEqualTo(began);
    }

    @Test
    default void a_run_is_not_opened_with_other_stages_or_another_pipeline() {
        RunDriver on = open();
        on.store().open(RunDriver.RUN, on.now());
        RunDefinition otherStages = new RunDefinition("run-1", "texts", List.of("fetch", "save"));
        assertThatThrownBy(() -> on.store().open(otherStages, on.now()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("run 'run-1' must be resumed with the pipeline it began with")
                .hasMessageContaining("[fetch, llm, save]");
        RunDefinition otherPipeline = new RunDefinition("run-1", "images", RunDriver.RUN.stages());
        assertThatThrownBy(() -> on.store().open(otherPipeline, on.now())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void a_run_remembers_where_it_comes_from_and_may_be_resumed_from_elsewhere() {
        RunDriver on = open();
        RunDefinition first = new RunDefinition("run-7", "texts", List.of("fetch"), "redrive run 'é'.yml");
        RunDefinition elsewhere = new RunDefinition("run-7", "texts", List.of("fetch"), "");
        on.store().open(first, on.now());
        assertThat(on.store().open(elsewhere, on.now()).definition()).isEqualTo(first);
        assertThat(on.store()
                        .archive()
                        .find("run-7", on.now())
                        .orElseThrow()
                        .definition()
                        .origin())
                .isEqualTo("redrive run 'é'.yml");
    }

    @Test
    default void a_commit_counts_each_end() {
        RunDriver on = open();
        Lease lease = on.join();
        Optional<RunRecord> run = on.commit(
                lease,
                RunDriver.succeeded(0),
                RunDriver.succeeded(1),
                RunDriver.skipped(2),
                on.dead(3, 1, "http_500"),
                RunDriver.ready(4, 0, "text"));
        assertThat(run).isPresent();
        assertThat(run.get().totals()).isEqualTo(new Totals(5, 2, 1, 1, false, OptionalLong.empty()));
        assertThat(run.get().fingerprint()).isEqualTo(35);
        assertThat(on.run().totals()).isEqualTo(run.get().totals());
    }

    @Test
    default void the_same_commit_again_changes_nothing() {
        RunDriver on = open();
        Lease lease = on.join();
        Commit commit = on.commitOf(lease, List.of(RunDriver.succeeded(0), on.dead(1, 0, "x")), List.of());
        on.store().commit(commit, on.now());
        Optional<RunRecord> again = on.store().commit(commit, on.now());
        assertThat(again).isPresent();
        assertThat(again.get().totals().processed()).isEqualTo(2);
    }

    @Test
    default void a_sample_keeps_all_that_is_needed_to_go_on() {
        RunDriver on = open();
        Lease lease = on.join();
        Progress progress = new Progress(2, 7, on.now().minusSeconds(9), Duration.ofSeconds(4), on.now());
        on.commit(lease, RunDriver.sample(0, SampleState.READY, 2, progress, "grüße", false, null));
        List<SampleRecord> claimed = on.claim(lease);
        assertThat(claimed).singleElement().satisfies(sample -> {
            assertThat(sample.id()).isEqualTo("s0");
            assertThat(sample.stage()).isEqualTo(2);
            assertThat(sample.progress()).isEqualTo(progress);
            assertThat(RunDriver.payload(sample)).isEqualTo("grüße");
            assertThat(sample.death()).isNull();
        });
    }

    @Test
    default void a_kept_payload_stays_and_a_new_one_replaces_it() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, RunDriver.ready(0, 0, "first"));
        SampleRecord waiting = new SampleRecord(
                0,
                "s0",
                SampleState.READY,
                0,
                new Progress(1, 1, on.now(), Duration.ofSeconds(1), on.now()),
                SampleRecord.Payload.KEPT,
                true,
                null);
        on.commit(lease, waiting);
        assertThat(payloadOf(on, 0)).isEqualTo("first");
        assertThat(on.archive().sample("run-1", 0).orElseThrow().progress().failed())
                .isEqualTo(1);
        on.commit(lease, RunDriver.ready(0, 1, "second"));
        assertThat(payloadOf(on, 0)).isEqualTo("second");
    }

    @Test
    default void a_large_payload_comes_back_whole_and_goes_with_its_sample() {
        RunDriver on = open();
        Lease lease = on.join();
        String large = "0123456789".repeat(50_000);
        on.commit(lease, RunDriver.ready(0, 0, large), RunDriver.ready(1, 0, "small"));
        assertThat(payloadOf(on, 0)).isEqualTo(large);
        String other = "abcdefghij".repeat(50_000);
        on.commit(lease, RunDriver.ready(0, 1, other));
        RunDriver later = reopened(on);
        assertThat(payloadOf(later, 0)).isEqualTo(other);
        on.commit(lease, RunDriver.succeeded(0));
        assertThat(payloadOf(on, 0)).isNull();
        assertThat(payloadOf(on, 1)).isEqualTo("small");
    }

    @Test
    default void an_ended_sample_keeps_no_payload_and_a_dead_one_does() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, RunDriver.ready(0, 0, "a"), RunDriver.ready(1, 0, "b"));
        on.commit(lease, RunDriver.succeeded(0), on.dead(1, 0, "x"));
        assertThat(payloadOf(on, 0)).isNull();
        assertThat(payloadOf(on, 1)).isEqualTo("p1");
    }

    @Test
    default void the_position_of_a_sink_is_stored_with_the_results() {
        RunDriver on = open();
        Lease lease = on.join();
        assertThat(on.store().sinkPosition("run-1", "file")).isEmpty();
        Commit first = on.commitOf(lease, List.of(RunDriver.succeeded(0)), List.of());
        on.store().commit(withSink(first, "file", "120"), on.now());
        Commit second = on.commitOf(lease, List.of(RunDriver.succeeded(1)), List.of());
        on.store().commit(withSink(second, "file", "240"), on.now());
        assertThat(on.store().sinkPosition("run-1", "file")).contains("240");
        assertThat(on.store().sinkPosition("run-1", "other")).isEmpty();
    }

    @Test
    default void runs_do_not_see_each_other() {
        RunDriver on = open();
        Lease lease = on.join();
        RunDefinition other = new RunDefinition("run-2", "texts", RunDriver.RUN.stages());
        on.store().open(other, on.now());
        Lease otherLease = on.store().join("run-2", "node-a", RunDriver.LEASE, on.now());
        on.commit(lease, RunDriver.parked(0), RunDriver.succeeded(1));
        assertThat(on.claim(otherLease)).isEmpty();
        assertThat(on.archive().find("run-2", on.now()).orElseThrow().totals()).isEqualTo(Totals.NONE);
        assertThat(RunDriver.ordinals(on.claim(lease))).containsExactly(0L);
    }

    @Test
    default void a_run_ends_only_when_every_sample_has_its_end() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, RunDriver.ready(0, 0, "a"));
        on.endSource(lease);
        assertThat(on.store().finish(lease, RunStatus.COMPLETED, on.now()))
                .get()
                .extracting(RunRecord::status)
                .isEqualTo(RunStatus.RUNNING);
        on.commit(lease, RunDriver.succeeded(0));
        on.pass(Duration.ofSeconds(5));
        RunRecord ended =
                on.store().finish(lease, RunStatus.COMPLETED, on.now()).orElseThrow();
        assertThat(ended.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(ended.ended()).isEqualTo(on.now());
        assertThat(ended.workers()).isZero();
        assertThat(on.commit(lease, RunDriver.succeeded(1))).isEmpty();
    }

    @Test
    default void a_pause_that_a_server_asked_for_is_told_to_all_until_it_is_over() {
        RunDriver on = open();
        Lease one = on.join();
        Lease other = on.join();
        on.store()
                .commit(
                        withPauses(
                                on,
                                one,
                                Map.of(
                                        "fetch",
                                        on.now().plusSeconds(9),
                                        "llm",
                                        on.now().plusSeconds(2))),
                        on.now());
        on.store().commit(withPauses(on, other, Map.of("fetch", on.now().plusSeconds(5))), on.now());
        assertThat(pausesSeenBy(on, other))
                .isEqualTo(Map.of("fetch", Duration.ofSeconds(9), "llm", Duration.ofSeconds(2)));

        on.pass(Duration.ofSeconds(3));
        assertThat(pausesSeenBy(on, other)).isEqualTo(Map.of("fetch", Duration.ofSeconds(6)));
        on.store().commit(withPauses(on, one, Map.of("llm", on.now().plusSeconds(1))), on.now());
        assertThat(pausesSeenBy(on, other))
                .isEqualTo(Map.of("fetch", Duration.ofSeconds(6), "llm", Duration.ofSeconds(1)));

        on.pass(Duration.ofSeconds(6));
        assertThat(pausesSeenBy(on, one)).isEmpty();
    }

    private static Map<String, Duration> pausesSeenBy(RunDriver on, Lease lease) {
        return on.store()
                .extend(lease, Duration.ofSeconds(30), false, on.now())
                .orElseThrow()
                .pauses();
    }

    private static Commit withPauses(RunDriver on, Lease lease, Map<String, Instant> pauses) {
        Commit commit = on.commitOf(lease, List.of(), List.of());
        return new Commit(lease, commit.number(), commit.taken(), commit.changes(), commit.sink(), pauses, List.of());
    }

    private static Commit withSink(Commit commit, String sink, String position) {
        return new Commit(
                commit.lease(),
                commit.number(),
                commit.taken(),
                commit.changes(),
                Optional.of(new Commit.SinkPosition(sink, position)));
    }

    private static @Nullable String payloadOf(RunDriver on, long ordinal) {
        return RunDriver.payload(on.archive().sample("run-1", ordinal).orElseThrow());
    }
}
