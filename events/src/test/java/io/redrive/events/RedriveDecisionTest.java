package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RedriveDecisionTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final RedriveCauses CAUSES = new RedriveCauses(Map.of("down", 20L), Map.of());

    private static RedriveOperation operation(RedrivePlan plan, RedriveState state, RedriveCounts counts) {
        return new RedriveOperation(
                OperatorCommand.by("ann"),
                plan,
                state,
                counts,
                CAUSES,
                RedrivePace.BEGIN,
                new RedriveTimes(NOW, Optional.of(NOW), Optional.empty(), NOW),
                "");
    }

    private static RedriveDecision decide(RedrivePlan plan, RedriveCounts counts) {
        return RedriveDecision.of(operation(plan, new RedriveState.Running(), counts), NOW);
    }

    @Test
    void a_canary_begins_with_one_letter() {
        assertThat(decide(RedrivePlan.CANARY, new RedriveCounts(20, 0, 0, 0, 0)))
                .isEqualTo(new RedriveDecision.Send(0, 1));
    }

    @Test
    void an_operation_without_stages_sends_as_many_as_a_transaction_may() {
        assertThat(decide(RedrivePlan.ALL_AT_ONCE, new RedriveCounts(9_000, 0, 0, 0, 0)))
                .isEqualTo(new RedriveDecision.Send(0, RedrivePlan.MAX_PORTION));
    }

    @Test
    void letters_that_are_all_gone_end_an_operation() {
        assertThat(decide(RedrivePlan.CANARY, new RedriveCounts(20, 0, 0, 0, 20)))
                .isEqualTo(new RedriveDecision.End(new RedriveState.Finished()));
    }

    @Test
    void a_death_of_another_cause_does_not_halt_a_canary_while_most_events_live() {
        RedriveOperation one = operation(
                new RedrivePlan(List.of(4), 0, Duration.ofMinutes(1), 100),
                new RedriveState.Running(),
                new RedriveCounts(20, 4, 2, 2, 0));
        RedriveOperation returned = new RedriveOperation(
                one.command(),
                one.plan(),
                one.state(),
                one.counts(),
                CAUSES.plusReturned(Map.of("other", 2L)),
                one.pace(),
                one.times(),
                "");
        assertThat(RedriveDecision.of(returned, NOW)).isEqualTo(new RedriveDecision.Send(0, 4));
    }

    @Test
    void causes_beyond_the_limit_count_as_known() {
        RedriveCauses many = RedriveCauses.NONE;
        for (int i = 0; i <= RedriveCauses.MAX_CAUSES; i++) {
            many = many.plusSelected(Map.of("cause " + i, 1L));
        }
        assertThat(many.selected()).containsKey(RedriveCauses.FURTHER).hasSize(RedriveCauses.MAX_CAUSES + 1);
        assertThat(many.plusReturned(Map.of("never seen", 1L)).back()).containsExactly("never seen");
        assertThat(many.overlap(CAUSES)).isTrue();
    }

    /** Any operation in any numbers: letters are sent only while running, never more than are pending in the stage. */
    @Test
    void random_operations_keep_the_rules() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        Random random = new Random(seed);
        List<RedriveState> states = List.of(
                new RedriveState.Previewed(),
                new RedriveState.Running(),
                new RedriveState.Paused(),
                new RedriveState.Cancelled(),
                new RedriveState.Finished());
        for (int i = 0; i < 20_000; i++) {
            long redriven = random.nextInt(20);
            long done = random.nextInt((int) redriven + 1);
            RedriveCounts counts = new RedriveCounts(redriven + random.nextInt(20), redriven, done, 0, 0);
            RedrivePlan plan = random.nextBoolean() ? RedrivePlan.CANARY : RedrivePlan.ALL_AT_ONCE.withPerSecond(2);
            RedriveOperation operation = operation(plan, states.get(random.nextInt(states.size())), counts);
            RedriveDecision decision = RedriveDecision.of(operation, NOW);
            String story = "seed " + seed + ": " + operation + " " + decision;
            if (decision instanceof RedriveDecision.Send send) {
                assertThat(operation.state()).as(story).isEqualTo(new RedriveState.Running());
                assertThat(counts.pending()).as(story).isPositive();
                assertThat((long) send.letters()).as(story).isBetween(1L, plan.lettersOf(send.stage()));
            } else if (decision instanceof RedriveDecision.Look) {
                assertThat(counts.underWay()).as(story).isPositive();
            } else if (decision instanceof RedriveDecision.End) {
                assertThat(counts.pending() + counts.underWay()).as(story).isZero();
            }
        }
    }

    @Test
    void a_plan_out_of_range_is_refused_with_its_value() {
        assertThatThrownBy(() -> RedrivePlan.CANARY.withPerSecond(0))
                .hasMessage("perSecond must be between 0.001 and 1000000, got 0");
        assertThatThrownBy(() -> RedrivePlan.CANARY.withPerSecond(Double.NaN)).hasMessageContaining("got NaN");
        assertThatThrownBy(() -> RedrivePlan.CANARY.withStageLimit(Duration.ZERO))
                .hasMessage("stageLimit must be longer than zero, got PT0S");
        assertThatThrownBy(() -> RedrivePlan.CANARY.withLimit(0)).hasMessage("limit must be at least 1, got 0");
        assertThatThrownBy(() -> new RedrivePlan(List.of(1, 0), 0, Duration.ofMinutes(1), 1))
                .hasMessageContaining("stages must be at most 10 numbers of at least 1 letter, got [1, 0]");
    }

    @Test
    void a_slow_rate_sends_one_letter_at_a_time() {
        RedrivePlan slow = RedrivePlan.ALL_AT_ONCE.withPerSecond(0.001);
        assertThat(slow.portion()).isEqualTo(1);
        assertThat(slow.timeFor(1)).isEqualTo(Duration.ofSeconds(1_000));
        assertThat(RedrivePlan.ALL_AT_ONCE.withPerSecond(1_000_000).portion()).isEqualTo(RedrivePlan.MAX_PORTION);
    }
}
