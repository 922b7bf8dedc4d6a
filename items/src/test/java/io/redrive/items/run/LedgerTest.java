package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Commit;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The changes on the next page, and the changes that can wait. */
final class LedgerTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration MAY_WAIT = Duration.ofMillis(50);

    private final ItemPipeline<String, String> pipeline = ItemPipeline.named("texts", Codec.text())
            .stage(Stage.map("one", (String value) -> value))
            .stage(Stage.map("two", (String value) -> value))
            .build();
    private final Ledger ledger = new Ledger("run-1", pipeline, true, MAY_WAIT);

    @Test
    void a_sample_that_was_only_taken_is_left_to_the_source() {
        Sample first = taken(0);
        taken(1);
        end(first, NOW);

        Ledger.Page page = ledger.close(NOW, false);

        assertThat(samplesOf(page)).extracting(SampleRecord::ordinal).containsExactly(0L);
        assertThat(page.taken()).hasValue(new Commit.Taken(1, fingerprint(0), false, OptionalLong.empty()));
        assertThat(ledger.isEmpty()).isFalse();
        assertThat(ledger.since()).isNull();
    }

    @Test
    void an_unfinished_sample_before_an_ended_sample_is_stored_with_its_payload() {
        taken(0);
        Sample second = taken(1);
        end(second, NOW);

        Ledger.Page page = ledger.close(NOW, false);

        assertThat(samplesOf(page))
                .extracting(SampleRecord::ordinal, SampleRecord::state, SampleRecord::hasBytes)
                .containsExactly(tuple(0L, SampleState.READY, true), tuple(1L, SampleState.SUCCEEDED, false));
        assertThat(page.taken()).hasValue(new Commit.Taken(2, fingerprint(1), false, OptionalLong.empty()));
        assertThat(ledger.isEmpty()).isTrue();
    }

    @Test
    void a_stage_passed_a_moment_ago_waits_with_its_line_for_the_next_commit() {
        Sample sample = taken(0);
        attempted(ledger, sample, NOW);

        Ledger.Page early = ledger.close(NOW.plus(MAY_WAIT).minusNanos(1), false);
        Ledger.Page late = ledger.close(NOW.plus(MAY_WAIT), false);

        assertThat(early.changes()).isEmpty();
        assertThat(early.taken()).isEmpty();
        assertThat(samplesOf(late)).extracting(SampleRecord::ordinal).containsExactly(0L);
        assertThat(late.changes().get(0).lines())
                .extracting(StageAttempt::stage)
                .containsExactly("one");
        assertThat(late.taken()).hasValue(new Commit.Taken(1, fingerprint(0), false, OptionalLong.empty()));
    }

    @Test
    void the_oldest_change_sets_the_time_of_the_next_commit() {
        Sample first = taken(0);
        Sample second = taken(1);
        attempted(ledger, second, NOW);
        attempted(ledger, first, NOW.plusMillis(1));

        ledger.close(NOW.plusMillis(2), false);

        assertThat(ledger.since()).isEqualTo(NOW);
    }

    @Test
    void the_source_was_read_up_to_the_last_sample_that_must_be_written() {
        Sample first = taken(0);
        taken(1);
        Sample third = taken(2);
        taken(3);
        end(third, NOW);
        end(first, NOW);

        Ledger.Page page = ledger.close(NOW, false);

        assertThat(samplesOf(page)).extracting(SampleRecord::ordinal).containsExactly(0L, 1L, 2L);
        assertThat(page.taken()).hasValue(new Commit.Taken(3, fingerprint(2), false, OptionalLong.empty()));
    }

    @Test
    void samples_that_wait_for_the_next_commit_stay_in_the_order_of_the_source() {
        Sample first = taken(0);
        Sample second = taken(1);
        attempted(ledger, second, NOW);
        ledger.close(NOW, false);
        taken(2);
        end(first, NOW);

        Ledger.Page page = ledger.close(NOW, false);

        assertThat(samplesOf(page)).extracting(SampleRecord::ordinal).containsExactly(0L);
        assertThat(page.taken()).hasValue(new Commit.Taken(1, fingerprint(0), false, OptionalLong.empty()));
    }

    @Test
    void a_stored_sample_does_not_move_the_position_in_the_source() {
        Sample claimed = claimed(3);
        Sample taken = taken(7);
        end(taken, NOW);
        end(claimed, NOW);

        Ledger.Page page = ledger.close(NOW, false);

        assertThat(samplesOf(page)).extracting(SampleRecord::ordinal).containsExactly(7L, 3L);
        assertThat(page.taken()).hasValue(new Commit.Taken(8, fingerprint(7), false, OptionalLong.empty()));
    }

    @Test
    void a_stored_sample_is_not_written_because_later_samples_are() {
        Sample claimed = claimed(3);
        attempted(ledger, claimed, NOW);
        end(taken(7), NOW);

        assertThat(samplesOf(ledger.close(NOW, false)))
                .extracting(SampleRecord::ordinal)
                .containsExactly(7L);
        assertThat(ledger.since()).isEqualTo(NOW);
    }

    @Test
    void the_end_of_the_source_is_told_with_its_last_sample() {
        Sample first = taken(0);
        Sample last = taken(1);
        Commit.Taken all = new Commit.Taken(2, fingerprint(1), true, OptionalLong.of(2));
        ledger.taken(all);
        end(first, NOW);
        Ledger.Page before = ledger.close(NOW, false);
        end(last, NOW);
        Ledger.Page with = ledger.close(NOW, false);

        assertThat(before.taken()).hasValue(new Commit.Taken(1, fingerprint(0), false, OptionalLong.of(2)));
        assertThat(with.taken()).hasValue(all);
    }

    @Test
    void everything_is_written_when_nothing_is_under_way() {
        taken(0);
        Commit.Taken all = new Commit.Taken(1, fingerprint(0), false, OptionalLong.empty());

        Ledger.Page page = ledger.close(NOW, true);

        assertThat(samplesOf(page)).extracting(SampleRecord::state).containsExactly(SampleState.READY);
        assertThat(page.taken()).hasValue(all);
        assertThat(ledger.isEmpty()).isTrue();
    }

    @Test
    void lines_are_numbered_from_one_also_after_unaudited_attempts() {
        Ledger unaudited = new Ledger("run-1", pipeline, false, MAY_WAIT);
        Sample sample = taken(0);
        attempted(unaudited, sample, NOW);
        attempted(ledger, sample, NOW);
        attempted(ledger, sample, NOW);

        assertThat(ledger.close(NOW, true).changes().get(0).lines())
                .extracting(StageAttempt::sequence)
                .containsExactly(1, 2);
    }

    @Test
    void the_longer_of_two_pauses_of_a_stage_is_committed() {
        ledger.paused("one", NOW.plusSeconds(60));
        ledger.paused("one", NOW.plusSeconds(5));
        ledger.paused("two", NOW.plusSeconds(5));
        ledger.paused("two", NOW.plusSeconds(60));

        assertThat(ledger.close(NOW, false).pauses())
                .isEqualTo(Map.of("one", NOW.plusSeconds(60), "two", NOW.plusSeconds(60)));
        assertThat(ledger.close(NOW, false).pauses()).isEmpty();
    }

    private static List<SampleRecord> samplesOf(Ledger.Page page) {
        return page.changes().stream().map(Commit.Change::sample).toList();
    }

    private static long fingerprint(long ordinal) {
        return 100 + ordinal;
    }

    private Sample taken(long ordinal) {
        Sample sample = Samples.sample(ordinal);
        ledger.taken(sample);
        ledger.taken(new Commit.Taken(ordinal + 1, fingerprint(ordinal), false, OptionalLong.empty()));
        return sample;
    }

    private static Sample claimed(long ordinal) {
        return Sample.from(new SampleRecord(
                ordinal,
                "s" + ordinal,
                SampleState.READY,
                0,
                SampleRecord.Progress.NONE,
                new SampleRecord.Payload.Bytes(new byte[] {'x'}),
                true,
                null));
    }

    private void end(Sample sample, Instant now) {
        sample.succeed();
        ledger.ended(sample, now);
    }

    private void attempted(Ledger to, Sample sample, Instant now) {
        Lane lane = new Lane(0, pipeline.stages().get(0));
        CallResult call = CallResult.answered(
                lane, List.of(sample), List.of(StageOutcome.value(new byte[0])), NOW, Duration.ZERO);
        to.attempted(sample, call, AttemptStatus.SUCCESS, "", "", Duration.ZERO, now);
    }
}
