package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.Redrives;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redrive operations, carried on by pipelines. */
class RedriveRunnerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Redrives redrives = store.redrives();
    private String failure = "downstream is down";
    private int handled;
    private final Pipeline pipeline = pipeline("node-1");

    private Pipeline pipeline(String node) {
        return Pipeline.on(store)
                .executor(Runnable::run)
                .time(time)
                .node(node)
                .random(RandomGenerator.of("L64X128MixRandom"))
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .automaticRedrive(AutomaticRedrive.OFF)
                .on("*", event -> {
                    handled++;
                    if (failure != null) {
                        throw new IllegalStateException(failure);
                    }
                })
                .build();
    }

    /** Each letter has its own name, so that no name is paused. */
    private void letters(int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(Event.named("order.n" + i)
                    .source("test")
                    .correlationId("c")
                    .time(time)
                    .build());
        }
        pipeline.publish(events);
        pipeline.drain();
        assertThat(left()).isEqualTo(count);
        handled = 0;
    }

    private long left() {
        return store.deadLetters().count(LetterFilter.ALL);
    }

    private String start(RedrivePlan plan) {
        RedriveOrder order = RedriveOrder.ofAllLetters(plan, "ann");
        redrives.preview(order, time.now());
        redrives.change(order.id(), RedriveChange.START, order.command(), time.now());
        return order.id();
    }

    private RedriveOperation operation(String id) {
        return redrives.find(id).orElseThrow();
    }

    private void second(Pipeline node) {
        time.advance(SECOND);
        node.drain();
    }

    private RedriveOperation drive(String id) {
        for (int i = 0; i < 1_000 && operation(id).state().isActive(); i++) {
            second(pipeline);
        }
        return operation(id);
    }

    @Test
    void a_pipeline_carries_an_operation_to_its_end() {
        letters(1_200);
        failure = null;
        String id = start(RedrivePlan.CANARY);

        RedriveOperation end = drive(id);

        assertThat(end.state()).isEqualTo(new RedriveState.Finished());
        assertThat(end.counts()).isEqualTo(new RedriveCounts(1_200, 1_200, 1_200, 0, 0));
        assertThat(end.runner()).isEqualTo("node-1");
        assertThat(handled).isEqualTo(1_200);
        assertThat(store.deadLetters().actions(10)).singleElement().satisfies(row -> {
            assertThat(row.detail()).isEqualTo("all letters; canary finished, 1200 of 1200");
            assertThat(row.letters()).isEqualTo(1_200);
        });
    }

    @Test
    void a_pipeline_started_later_carries_an_operation_on() {
        letters(30);
        failure = null;
        String id = start(RedrivePlan.CANARY);
        second(pipeline);
        assertThat(operation(id).counts().redriven()).isEqualTo(1);

        Pipeline other = pipeline("node-2");
        for (int i = 0; i < 60; i++) {
            second(other);
        }

        assertThat(operation(id).counts()).isEqualTo(new RedriveCounts(30, 30, 30, 0, 0));
        assertThat(operation(id).runner()).isEqualTo("node-2");
        assertThat(handled).isEqualTo(30);
    }

    @Test
    void a_canary_halts_after_the_first_letter_when_its_cause_returns() {
        letters(50);

        RedriveOperation end = drive(start(RedrivePlan.CANARY));

        assertThat(end.state()).isEqualTo(new RedriveState.Halted("the same cause returned", Set.of(fingerprint())));
        assertThat(handled).isEqualTo(1);
        assertThat(left()).isEqualTo(50);
    }

    @Test
    void a_canary_halts_in_a_later_stage_too() {
        letters(500);
        failure = null;
        String id = start(RedrivePlan.CANARY);
        second(pipeline);
        failure = "downstream is down";
        assertThat(drive(id).state()).isInstanceOf(RedriveState.Halted.class);
        assertThat(handled).isEqualTo(11);
    }

    @Test
    void the_last_stage_of_a_canary_halts_while_it_is_under_way() {
        letters(2_000);
        failure = null;
        String id = start(RedrivePlan.CANARY.withPerSecond(100));
        while (operation(id).counts().redriven() < 200) {
            pipeline.drain();
            time.advance(Duration.ofMillis(100));
        }
        failure = "downstream is down";
        while (operation(id).state().isActive()) {
            pipeline.drain();
            time.advance(Duration.ofMillis(100));
        }
        assertThat(operation(id).state()).isInstanceOf(RedriveState.Halted.class);
        // The letters sent within the second between two looks.
        assertThat(operation(id).counts().redriven()).isLessThan(330);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 11, 40})
    void a_canary_of_few_letters_also_tells_whether_their_cause_returned(int count) {
        letters(count);
        failure = null;
        String id = start(RedrivePlan.CANARY);
        RedriveRunner runner = new RedriveRunner(redrives, "ann");
        while (operation(id).counts().redriven() < count) {
            failure = null;
            second(pipeline);
            // Turns between two steps of the pipeline: the last stage is sent, and its events are not handled yet.
            time.advance(SECOND);
            boolean more = true;
            while (more) {
                more = runner.work(time.now());
            }
        }
        boolean underWay = operation(id).counts().underWay() > 0;
        failure = "downstream is down";
        RedriveOperation end = drive(id);
        assertThat(end.state())
                .isEqualTo(
                        underWay
                                ? new RedriveState.Halted("the same cause returned", Set.of(fingerprint()))
                                : new RedriveState.Finished());
    }

    @Test
    void the_loop_wakes_for_the_next_portion() {
        letters(3);
        failure = null;
        RedriveRunner runner = new RedriveRunner(redrives, "node-1");
        assertThat(runner.work(time.now())).isFalse();
        assertThat(runner.next()).isEqualTo(time.now().plus(SECOND));
        start(RedrivePlan.ALL_AT_ONCE.withPerSecond(4));
        assertThat(runner.work(time.now())).as("not before its next look").isFalse();
        time.advance(SECOND);
        assertThat(runner.work(time.now())).isTrue();
        assertThat(runner.work(time.now())).isFalse();
        assertThat(runner.next()).isEqualTo(time.now().plus(Duration.ofMillis(250)));
    }

    @Test
    void a_clock_set_back_by_an_hour_does_not_stop_the_runner() {
        letters(1);
        RedriveRunner runner = new RedriveRunner(redrives, "node-1");
        runner.work(time.now());
        time.jump(Duration.ofHours(-1));
        start(RedrivePlan.ALL_AT_ONCE);
        assertThat(runner.work(time.now())).isTrue();
    }

    @Test
    void a_runner_sweeps_previews_that_were_never_started() {
        letters(1);
        redrives.preview(RedriveOrder.ofAllLetters(RedrivePlan.ALL_AT_ONCE, "ann"), time.now());
        time.advance(Redrives.PREVIEW_KEPT.plus(SECOND));
        pipeline.drain();
        assertThat(redrives.list(10)).isEmpty();
    }

    private static String fingerprint() {
        return Fingerprint.of("IllegalStateException", new IllegalStateException("downstream is down").toString());
    }
}
