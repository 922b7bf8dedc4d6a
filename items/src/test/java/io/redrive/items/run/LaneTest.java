package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.AdaptiveLimit;
import io.redrive.items.RateLimit;
import io.redrive.items.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of calls released ahead of the workers, and the deadline of a batch. */
final class LaneTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Sample SAMPLE = Samples.sample(0);
    private static final Stage<String, String> STAGE =
            Stage.map("s", (String text) -> text).concurrency(4);

    @Test
    void a_new_stage_gets_as_many_calls_as_it_has_workers() {
        assertThat(releasable(new Lane(0, STAGE))).isEqualTo(4);
    }

    @Test
    void a_quick_stage_gets_256_calls_ahead() {
        assertThat(releasable(after(100, Duration.ZERO, STAGE))).isEqualTo(4 + 256);
    }

    @Test
    void a_slow_stage_gets_the_calls_that_begin_within_a_second() {
        assertThat(releasable(after(100, Duration.ofMillis(90), STAGE))).isEqualTo(4 + 44);
        assertThat(releasable(after(100, Duration.ofMinutes(1), STAGE))).isEqualTo(4);
    }

    @Test
    void a_stage_that_becomes_slow_gets_fewer_calls_until_it_is_quick_again() {
        Lane lane = after(100, Duration.ZERO, STAGE);

        call(lane, 20, Duration.ofSeconds(30));
        assertThat(releasable(lane)).isEqualTo(4);
        call(lane, 100, Duration.ZERO);
        assertThat(releasable(lane)).isEqualTo(4 + 256);
    }

    @Test
    void batches_count_as_calls() {
        Stage<String, String> batches =
                Stage.batch("b", 100, (List<String> texts) -> texts).concurrency(4);

        assertThat(releasable(new Lane(0, batches))).isEqualTo(4);
        assertThat(releasable(after(100, Duration.ZERO, batches))).isEqualTo(4 + 2);
    }

    @Test
    void a_quick_stage_of_large_batches_has_one_ahead() {
        Stage<String, String> batches =
                Stage.batch("b", 1_000, (List<String> texts) -> texts).concurrency(4);

        assertThat(releasable(after(100, Duration.ZERO, batches))).isEqualTo(4 + 1);
    }

    @Test
    void a_stage_with_a_rate_limit_gets_no_call_ahead() {
        Lane lane = after(100, Duration.ZERO, STAGE.rateLimit(RateLimit.perSecond(10)));

        assertThat(releasable(lane)).isEqualTo(4);
        assertThat(lane.soon()).isEqualTo(10);
        lane.pacer.share(5);
        assertThat(lane.soon()).isEqualTo(2);
    }

    @Test
    void processes_divide_the_adaptive_limit_of_a_stage() {
        AdaptiveLimit limit = AdaptiveLimit.between(1, 8);
        Lane lane = new Lane(0, Stage.map("s", (String text) -> text).concurrency(limit));

        lane.share(4);

        assertThat(limit.most()).isEqualTo(2);
        assertThat(releasable(lane)).isEqualTo(2);
    }

    @Test
    void a_retry_does_not_put_off_a_batch_that_waits_to_fill_up() {
        Lane lane = new Lane(0, Stage.batch("b", 10, (List<String> texts) -> texts));
        lane.add(SAMPLE, NOW);
        Instant leaves = lane.batchDeadline();
        lane.addAgain(SAMPLE, NOW.plusMillis(50));

        assertThat(lane.batchDeadline()).isEqualTo(leaves);
    }

    private static Lane after(int calls, Duration took, Stage<String, String> stage) {
        Lane lane = new Lane(0, stage);
        call(lane, calls, took);
        return lane;
    }

    private static void call(Lane lane, int calls, Duration took) {
        for (int i = 0; i < calls; i++) {
            lane.release(List.of());
            lane.take();
            lane.heard(CallResult.interrupted(lane, List.of(), NOW, took), 0);
        }
    }

    private static int releasable(Lane lane) {
        int released = 0;
        for (; lane.hasRoom(); released++) {
            lane.release(List.of());
        }
        lane.takeBack();
        return released;
    }
}
