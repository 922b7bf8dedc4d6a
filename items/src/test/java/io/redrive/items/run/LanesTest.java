package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Failure;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryBudget;
import io.redrive.core.Signal;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many samples a process takes on and leaves to other processes, and retries without a token of the budget. */
final class LanesTest {

    private static final Stage<String, String> STAGE = Stage.map("s", (String text) -> text);

    private final ManualTime time = new ManualTime();

    @Test
    void enough_samples_are_those_that_the_slowest_stage_begins_within_a_second() {
        Lanes lanes = lanes(
                STAGE.concurrency(8), Stage.map("slow", (String text) -> text).concurrency(4));

        assertThat(lanes.lacking()).isEqualTo(4);
    }

    @Test
    void samples_are_taken_on_once_half_of_enough_are_left() {
        Lanes lanes = lanes(STAGE.concurrency(8));
        enter(lanes, 4);
        assertThat(lanes.lacking()).isEqualTo(4);
        enter(lanes, 1);
        assertThat(lanes.lacking()).isZero();
    }

    @Test
    void other_processes_get_the_samples_beyond_enough_once_there_are_twice_as_many() {
        Lanes lanes = lanes(STAGE.concurrency(8));
        enter(lanes, 16);
        assertThat(lanes.surplus()).isZero();
        enter(lanes, 1);
        assertThat(lanes.surplus()).isEqualTo(9);
    }

    @Test
    void a_retry_waits_for_a_token_while_samples_that_could_earn_one_are_to_come() {
        Lanes lanes = lanes(withoutTokens());
        lanes.awaitHere(failed());
        assertThat(lanes.wake(time.now(), true)).isFalse();
        time.advance(Duration.ofSeconds(1));

        assertThat(lanes.wake(time.now(), false)).isTrue();
    }

    @Test
    void a_retry_waits_for_a_token_while_the_stage_is_called_anyway() {
        Lanes lanes = lanes(withoutTokens());
        enter(lanes, 1);
        lanes.release(time.now(), false);
        lanes.awaitHere(failed());

        assertThat(lanes.wake(time.now(), false)).isFalse();
    }

    private static Stage<String, String> withoutTokens() {
        return STAGE.retryBudget(RetryBudget.builder("api").share(0).reserve(0).build());
    }

    /** Lanes whose workers begin no call. */
    @SafeVarargs
    private Lanes lanes(Stage<String, String>... stages) {
        ItemPipeline<String, String> pipeline = Rig.pipeline(stages);
        return new Lanes(
                pipeline,
                new Window(RunSettings.STANDARD, pipeline.maxPayload()),
                time,
                new Workers("run-1", pipeline, new Background(task -> {}, time, new Signal())));
    }

    private void enter(Lanes lanes, int samples) {
        for (int i = 0; i < samples; i++) {
            lanes.enter(Samples.sample(i), time.now());
        }
    }

    private Sample failed() {
        Sample sample = Samples.sample(100);
        sample.retry(Failure.status(503), Duration.ZERO, time.now());
        return sample;
    }
}
