package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.RetryBudget;
import io.redrive.core.Signal;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How much a process takes on and leaves to others, and which retries go on without a token of their budget. */
final class FloorTest {

    private static final Stage<String, String> STAGE = Stage.map("s", (String text) -> text);

    private final ManualTime time = new ManualTime();

    @Test
    void enough_is_what_the_slowest_stage_begins_within_a_second() {
        Floor floor = floor(
                STAGE.concurrency(8), Stage.map("slow", (String text) -> text).concurrency(4));

        assertThat(floor.lacking()).isEqualTo(4);
    }

    @Test
    void more_are_taken_on_once_half_of_enough_are_left() {
        Floor floor = floor(STAGE.concurrency(8));
        enter(floor, 4);
        assertThat(floor.lacking()).isEqualTo(4);
        enter(floor, 1);
        assertThat(floor.lacking()).isZero();
    }

    @Test
    void others_get_what_is_more_than_enough_once_it_is_twice_as_much() {
        Floor floor = floor(STAGE.concurrency(8));
        enter(floor, 16);
        assertThat(floor.surplus()).isZero();
        enter(floor, 1);
        assertThat(floor.surplus()).isEqualTo(9);
    }

    @Test
    void a_retry_waits_for_a_token_while_samples_that_could_earn_one_are_to_come() {
        Floor floor = floor(withoutTokens());
        floor.awaitHere(failed());
        assertThat(floor.wake(time.now(), true)).isFalse();
        time.advance(Duration.ofSeconds(1));

        assertThat(floor.wake(time.now(), false)).isTrue();
    }

    @Test
    void a_retry_waits_for_a_token_while_the_stage_is_called_anyway() {
        Floor floor = floor(withoutTokens());
        enter(floor, 1);
        floor.release(time.now(), false);
        floor.awaitHere(failed());

        assertThat(floor.wake(time.now(), false)).isFalse();
    }

    private static Stage<String, String> withoutTokens() {
        return STAGE.retryBudget(RetryBudget.builder("api").share(0).reserve(0).build());
    }

    /** Its workers begin nothing. */
    @SafeVarargs
    private Floor floor(Stage<String, String>... stages) {
        ItemPipeline<String, String> pipeline = Rig.pipeline(stages);
        return new Floor(
                pipeline, RunSettings.STANDARD, time, new Workers("run-1", pipeline, task -> {}, time, new Signal()));
    }

    private void enter(Floor floor, int samples) {
        for (int i = 0; i < samples; i++) {
            floor.enter(new Sample(i, "s" + i, new byte[1]), time.now());
        }
    }

    private Sample failed() {
        Sample sample = new Sample(100, "s100", new byte[1]);
        sample.retry(Duration.ZERO, time.now());
        return sample;
    }
}
