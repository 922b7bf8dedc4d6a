package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleRecord.Progress;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.Totals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The archive of runs: queries, reprocessing, cancelling and deleting. */
interface RunArchiveContract extends RunStoreUnderTest {

    @Test
    default void an_unknown_run_is_not_found() {
        RunDriver on = open();
        assertThat(on.archive().find("run-1", on.now())).isEmpty();
        assertThat(on.archive().list(Optional.empty(), 10, on.now())).isEmpty();
        assertThat(on.archive().sample("run-1", 0)).isEmpty();
        assertThat(on.archive().sampleById("run-1", "s0")).isEmpty();
        assertThat(on.archive().attempts("run-1", 0)).isEmpty();
        assertThat(on.archive().retries("run-1")).isEmpty();
        assertThat(on.archive().errors("run-1", 5)).isEmpty();
        assertThat(on.archive().stages("run-1")).isEmpty();
        assertThat(on.archive().dead(DeadFilter.ALL, 10)).isEmpty();
        assertThat(on.archive().reprocess(DeadFilter.ALL, on.now())).isZero();
        assertThat(on.archive().cancel("run-1", on.now())).isFalse();
        assertThat(on.archive().delete("run-1", on.now())).isFalse();
    }

    @Test
    default void the_newest_runs_come_first() {
        RunDriver on = open();
        for (String id : List.of("one", "two", "three")) {
            String pipeline = id.equals("two") ? "images" : "texts";
            on.store().open(new RunDefinition(id, pipeline, List.of("s")), on.now());
            on.pass(Duration.ofSeconds(1));
        }
        assertThat(on.archive().list(Optional.empty(), 2, on.now()))
                .extracting(RunRecord::id)
                .containsExactly("three", "two");
        assertThat(on.archive().list(Optional.of("texts"), 10, on.now()))
                .extracting(RunRecord::id)
                .containsExactly("three", "one");
        assertThat(on.archive().list(Optional.empty(), Optional.of("three"), 1, on.now()))
                .extracting(RunRecord::id)
                .containsExactly("two");
        assertThat(on.archive().list(Optional.of("texts"), Optional.of("two"), 10, on.now()))
                .extracting(RunRecord::id)
                .containsExactly("one");
        assertThat(on.archive().list(Optional.empty(), Optional.of("one"), 10, on.now()))
                .isEmpty();
        assertThat(on.archive().list(Optional.empty(), Optional.of("unknown"), 10, on.now()))
                .isEmpty();
    }

    @Test
    default void every_attempt_is_a_line_of_the_audit_trail() {
        RunDriver on = open();
        Lease lease = on.join();
        StageAttempt first = on.attempt(0, 1, "fetch", 1, AttemptStatus.RETRYING, "http_429");
        StageAttempt second = on.attempt(0, 2, "fetch", 2, AttemptStatus.SUCCESS, "");
        StageAttempt third = on.attempt(0, 3, "llm", 1, AttemptStatus.FAILED, "http_500");
        StageAttempt other = on.attempt(1, 1, "fetch", 1, AttemptStatus.SKIPPED, "");
        on.commit(lease, List.of(RunDriver.ready(0, 0, "a")), List.of(first));
        on.commit(lease, List.of(on.dead(0, 1, "http_500"), RunDriver.skipped(1)), List.of(second, third, other));
        assertThat(on.archive().attempts("run-1", 0)).containsExactly(first, second, third);
        assertThat(on.archive().attempts("run-1", 1)).containsExactly(other);
    }

    @Test
    default void whatever_a_failure_says_can_be_stored() {
        RunDriver on = open();
        Lease lease = on.join();
        String odd = "\0 half \uD83D whole \uD83D\uDE00 \u9577\u3044 \"quoted\" 'too' \\ \n\t\u0007 , | ; \u2028";
        StageAttempt line = on.attempt(0, 1, "fetch", 1, AttemptStatus.FAILED, odd);
        SampleRecord dead = on.dead(0, 0, odd);
        on.commit(lease, List.of(dead), List.of(line));
        RunDriver later = reopened(on);
        assertThat(later.archive().attempts("run-1", 0)).containsExactly(line);
        assertThat(later.archive().sample("run-1", 0).orElseThrow().death()).isEqualTo(dead.death());
        assertThat(later.archive().errors("run-1", 1))
                .containsExactly(new ErrorCount("fetch", line.errorType(), line.message(), 1, 1));
    }

    @Test
    default void dead_samples_are_found_by_run_pipeline_stage_and_error() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(
                lease,
                on.dead(0, 0, "http_500"),
                on.dead(1, 1, "http_500"),
                on.dead(2, 1, "timeout"),
                RunDriver.succeeded(3));
        on.store().open(new RunDefinition("run-2", "images", List.of("llm")), on.now());
        Lease other = on.store().join("run-2", "n", RunDriver.LEASE, on.now());
        on.commit(other, on.dead(0, 0, "http_500"));

        assertThat(found(on, DeadFilter.ALL)).containsExactly("run-2/0", "run-1/2", "run-1/1", "run-1/0");
        assertThat(found(on, DeadFilter.ofRun("run-1"))).containsExactly("run-1/2", "run-1/1", "run-1/0");
        assertThat(found(on, DeadFilter.ofPipeline("images"))).containsExactly("run-2/0");
        assertThat(found(on, DeadFilter.ALL.atStage("llm"))).containsExactly("run-2/0", "run-1/2", "run-1/1");
        assertThat(found(on, DeadFilter.ofRun("run-1").withErrorType("http_500")))
                .containsExactly("run-1/1", "run-1/0");
        assertThat(on.archive().dead(DeadFilter.ALL, 2)).hasSize(2);
    }

    @Test
    default void the_newest_dead_come_first_page_by_page() {
        RunDriver on = open();
        Lease lease = on.join();
        Instant began = on.now();
        on.commit(lease, on.dead(1, 0, "x"), on.dead(4, 0, "x"));
        on.pass(Duration.ofMinutes(1));
        on.commit(lease, on.dead(0, 0, "x"), on.dead(3, 0, "x"));
        on.pass(Duration.ofMinutes(1));
        on.commit(lease, on.dead(2, 0, "x"));

        List<String> pages = new ArrayList<>();
        DeadFilter filter = DeadFilter.ofRun("run-1");
        for (List<DeadSample> page = on.archive().dead(filter, 2);
                !page.isEmpty();
                page = on.archive().dead(filter, 2)) {
            page.forEach(dead -> pages.add("s" + dead.sample().ordinal()));
            filter = filter.after(page.get(page.size() - 1));
        }
        assertThat(pages).containsExactly("s2", "s3", "s0", "s4", "s1");
        assertThat(found(on, DeadFilter.ALL.since(began.plusSeconds(60))))
                .containsExactly("run-1/2", "run-1/3", "run-1/0");
        assertThat(found(on, DeadFilter.ALL.until(began.plusSeconds(60)))).containsExactly("run-1/4", "run-1/1");
        assertThat(on.archive().reprocess(DeadFilter.ALL.since(began.plusSeconds(120)), on.now()))
                .isEqualTo(1);
    }

    @Test
    default void a_dead_sample_tells_all_about_itself() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, on.dead(5, 1, "http_500"));
        DeadSample dead = on.archive().dead(DeadFilter.ALL, 1).get(0);
        assertThat(dead.pipeline()).isEqualTo("texts");
        assertThat(dead.stage()).isEqualTo("llm");
        assertThat(dead.sample().id()).isEqualTo("s5");
        assertThat(RunDriver.payload(dead.sample())).isEqualTo("p5");
        assertThat(dead.death())
                .isEqualTo(new Death(Reason.MAX_ATTEMPTS_EXCEEDED, "http_500", "http_500 happened", on.now()));
        assertThat(on.archive().sampleById("run-1", "s5"))
                .get()
                .extracting(SampleRecord::ordinal)
                .isEqualTo(5L);
        assertThat(on.archive().sample("run-1", 5))
                .get()
                .extracting(SampleRecord::state)
                .isEqualTo(SampleState.DEAD);
    }

    @Test
    default void reprocessed_samples_start_afresh_where_they_died() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, on.dead(0, 0, "x"), on.dead(1, 1, "x"), RunDriver.succeeded(2));
        on.leave(lease);
        assertThat(on.archive().reprocess(DeadFilter.ofPipeline("texts").atStage("llm"), on.now()))
                .isEqualTo(1);
        assertThat(on.run().totals().dead()).isEqualTo(1);
        assertThat(on.run().totals().pending()).isEqualTo(1);
        assertThat(on.run().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(on.claim(on.join("b"))).singleElement().satisfies(sample -> {
            assertThat(sample.ordinal()).isEqualTo(1);
            assertThat(sample.stage()).isEqualTo(1);
            assertThat(sample.progress()).isEqualTo(new Progress(0, 3, null, Duration.ZERO, null));
            assertThat(RunDriver.payload(sample)).isEqualTo("p1");
        });
        assertThat(on.archive().reprocess(DeadFilter.ALL.atStage("llm"), on.now()))
                .isZero();
    }

    @Test
    default void a_finished_run_can_be_taken_up_again_by_reprocessing() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, on.dead(0, 0, "x"));
        on.endSource(lease);
        on.store().finish(lease, RunStatus.FAILED, on.now());
        on.pass(Duration.ofMinutes(1));
        assertThat(on.archive().reprocess(DeadFilter.ofRun("run-1"), on.now())).isEqualTo(1);
        assertThat(on.run().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(on.run().ended()).isEqualTo(on.now());
    }

    @Test
    default void a_running_run_keeps_running_when_samples_are_reprocessed() {
        RunDriver on = open();
        Lease lease = on.join();
        on.commit(lease, on.dead(0, 0, "x"));
        on.archive().reprocess(DeadFilter.ofRun("run-1"), on.now());
        assertThat(on.run().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(on.claim(lease)).hasSize(1);
    }

    @Test
    default void a_sample_whose_payload_could_not_be_kept_stays_dead() {
        RunDriver on = open();
        Lease lease = on.join();
        Death death = new Death(Reason.INVALID_EVENT, "line_too_long", "too long", on.now());
        on.commit(lease, RunDriver.sample(0, SampleState.DEAD, -1, Progress.NONE, null, false, death));
        assertThat(found(on, DeadFilter.ALL.atStage("source"))).containsExactly("run-1/0");
        assertThat(on.archive().reprocess(DeadFilter.ALL, on.now())).isZero();
        assertThat(on.run().totals().dead()).isEqualTo(1);
    }

    @Test
    default void a_cancelled_run_tells_everybody() {
        RunDriver on = open();
        Lease lease = on.join();
        assertThat(on.archive().cancel("run-1", on.now())).isTrue();
        assertThat(on.archive().cancel("run-1", on.now())).isFalse();
        assertThat(on.extend(lease)).get().extracting(RunRecord::status).isEqualTo(RunStatus.CANCELLED);
        assertThat(on.commit(lease, RunDriver.succeeded(0)))
                .get()
                .extracting(RunRecord::totals)
                .extracting(Totals::succeeded)
                .isEqualTo(1L);
        on.leave(lease);
        assertThat(on.run().status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    default void a_finished_run_cannot_be_cancelled() {
        RunDriver on = open();
        Lease lease = on.join();
        on.endSource(lease);
        on.store().finish(lease, RunStatus.COMPLETED, on.now());
        assertThat(on.archive().cancel("run-1", on.now())).isFalse();
        assertThat(on.run().status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    default void a_run_is_deleted_with_all_it_has_but_not_while_it_is_worked_on() {
        RunDriver on = open();
        Lease lease = on.join();
        String large = "0123456789".repeat(50_000);
        on.commit(
                lease,
                List.of(RunDriver.ready(0, 0, large), on.dead(1, 0, "x")),
                List.of(on.attempt(1, 1, "fetch", 1, AttemptStatus.FAILED, "x")));
        assertThatThrownBy(() -> on.archive().delete("run-1", on.now()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("run 'run-1' must not be deleted while 1 processes work on it");
        on.leave(lease);
        assertThat(on.archive().delete("run-1", on.now())).isTrue();
        assertThat(on.archive().find("run-1", on.now())).isEmpty();
        assertThat(on.archive().dead(DeadFilter.ALL, 10)).isEmpty();
        Lease again = on.join();
        assertThat(on.run().totals()).isEqualTo(Totals.NONE);
        assertThat(on.claim(again)).isEmpty();
        assertThat(on.archive().attempts("run-1", 1)).isEmpty();
    }

    private static List<String> found(RunDriver on, DeadFilter filter) {
        return on.archive().dead(filter, 100).stream()
                .map(dead -> dead.run() + "/" + dead.sample().ordinal())
                .toList();
    }
}
