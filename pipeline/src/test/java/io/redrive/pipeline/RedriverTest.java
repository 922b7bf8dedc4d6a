package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedriverTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private String failure = "downstream is down";
    private int handled;
    private final Pipeline pipeline = Pipeline.on(store)
            .executor(Runnable::run)
            .time(time)
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

    /** Each letter has a separate name, because failures pause a name. */
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

    /** The pipeline finds events that another process redrove at its next poll. */
    private void poll() {
        time.advance(SECOND);
        pipeline.drain();
    }

    private long left() {
        return store.deadLetters().count(LetterFilter.ALL);
    }

    private Redriver.Builder redriver() {
        return Redriver.of(store.deadLetters()).operator("ann").batch("b");
    }

    /** Steps until the end, with steps of the pipeline and waits in between. */
    private void drive(Redriver redriver) {
        for (int i = 0; i < 10_000; i++) {
            Redriver.State state = redriver.step(time.now());
            pipeline.drain();
            if (state instanceof Redriver.State.Waiting waiting) {
                time.advance(Duration.between(time.now(), waiting.until()));
            } else if (!(state instanceof Redriver.State.Working)) {
                return;
            }
        }
        throw new AssertionError("still not at its end: " + redriver.step(time.now()));
    }

    private List<String> runs() {
        return store.deadLetters().actions(100).stream()
                .filter(action -> action.action().equals("redrive"))
                .map(OperatorAction::outcome)
                .toList();
    }

    @Test
    void without_a_limit_everything_comes_back_at_once() {
        letters(1_500);
        failure = null;
        Redriver redriver = redriver().build();
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Working(1_000, 1_500));
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Finished(1_500));
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Finished(1_500));
        poll();
        assertThat(handled).isEqualTo(1_500);
        assertThat(store.deadLetters().actions(10)).singleElement().satisfies(row -> {
            assertThat(row.detail()).isEqualTo("all letters; finished, 1500 of 1500");
            assertThat(row.letters()).isEqualTo(1_500);
        });
    }

    @Test
    void a_rate_limits_how_many_come_back_in_each_second() {
        letters(100);
        failure = null;
        Redriver redriver = redriver().perSecond(25).build();
        for (int second = 1; second <= 3; second++) {
            for (int i = 0; i < 100; i++) {
                redriver.step(time.now());
                time.advance(Duration.ofMillis(10));
            }
            // The first portion of two goes at once.
            assertThat(redriver.step(time.now()).redriven()).isBetween(25L * second, 25L * second + 2);
        }
    }

    @Test
    void a_rate_below_one_waits_for_seconds() {
        letters(2);
        Redriver redriver = redriver().perSecond(0.1).build();
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Working(1, 2));
        assertThat(redriver.step(time.now()))
                .isEqualTo(new Redriver.State.Waiting(time.now().plusSeconds(10), 1, 2));
    }

    @Test
    void a_canary_sends_one_then_ten_then_a_hundred_then_the_rest() {
        letters(1_200);
        failure = null;
        Redriver redriver = redriver().canary().build();
        List<Long> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            // The next stage is not sent before the pipeline has handled this one.
            for (int j = 0; j < 3; j++) {
                seen.add(redriver.step(time.now()).redriven());
            }
            poll();
        }
        assertThat(seen.stream().distinct()).containsExactly(1L, 11L, 111L, 1_111L, 1_200L);
        assertThat(seen.stream().filter(redriven -> redriven == 111)).hasSizeGreaterThanOrEqualTo(3);
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Finished(1_200));
    }

    @Test
    void a_canary_halts_after_the_first_letter_when_its_cause_returns() {
        letters(50);
        Redriver redriver = redriver().canary().build();
        drive(redriver);
        assertThat(redriver.step(time.now()))
                .isEqualTo(new Redriver.State.Halted("the same cause returned", Set.of(fingerprint()), 1));
        assertThat(handled).isEqualTo(1);
        assertThat(left()).isEqualTo(50);
        assertThat(runs().get(0)).isEqualTo("canary halted: the same cause returned [" + fingerprint() + "], 1 of 50");
    }

    @Test
    void a_canary_halts_in_a_later_stage_too() {
        letters(500);
        failure = null;
        Redriver redriver = redriver().canary().build();
        redriver.step(time.now());
        poll();
        failure = "downstream is down";
        drive(redriver);
        assertThat(redriver.step(time.now())).isInstanceOf(Redriver.State.Halted.class);
        assertThat(handled).isEqualTo(11);
    }

    @Test
    void a_canary_halts_when_the_fix_has_a_new_cause_of_death() {
        letters(50);
        failure = "quite another thing";
        Redriver redriver = redriver().canary().build();
        drive(redriver);
        assertThat(redriver.step(time.now())).isInstanceOfSatisfying(Redriver.State.Halted.class, halted -> {
            assertThat(halted.why()).isEqualTo("most died again, of another cause");
            assertThat(halted.fingerprints()).doesNotContain(fingerprint()).hasSize(1);
        });
    }

    @Test
    void the_last_stage_of_a_canary_halts_while_it_is_under_way() {
        letters(2_000);
        failure = null;
        Redriver redriver = redriver().canary().perSecond(100).build();
        while (redriver.step(time.now()).redriven() < 200) {
            pipeline.drain();
            time.advance(Duration.ofMillis(100));
        }
        failure = "downstream is down";
        drive(redriver);
        assertThat(redriver.step(time.now())).isInstanceOf(Redriver.State.Halted.class);
        // The letters sent within the second between two looks.
        assertThat(redriver.step(time.now()).redriven()).isLessThan(320);
    }

    @Test
    void a_canary_halts_when_no_pipeline_handles_its_events() {
        letters(50);
        Redriver redriver =
                redriver().canary().stageLimit(Duration.ofSeconds(5)).build();
        Redriver.State state = redriver.step(time.now());
        while (state instanceof Redriver.State.Working || state instanceof Redriver.State.Waiting) {
            time.advance(SECOND);
            state = redriver.step(time.now());
        }
        assertThat(state).isEqualTo(new Redriver.State.Halted("1 events have not ended within 5s", Set.of(), 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 11, 40})
    void a_canary_of_few_letters_also_tells_whether_their_cause_returned(int count) {
        letters(count);
        failure = null;
        Redriver redriver = redriver().canary().build();
        while (redriver.step(time.now()).redriven() < count) {
            poll();
        }
        assertThat(redriver.step(time.now())).isInstanceOf(Redriver.State.Waiting.class);
        failure = "downstream is down";
        drive(redriver);
        assertThat(redriver.step(time.now()))
                .isEqualTo(new Redriver.State.Halted("the same cause returned", Set.of(fingerprint()), count));
    }

    @Test
    void an_event_that_dies_again_is_not_redriven_again() {
        letters(20);
        time.advance(SECOND);
        Redriver redriver = redriver().perSecond(10).build();
        drive(redriver);
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Finished(20));
        poll();
        assertThat(handled).isEqualTo(20);
        assertThat(left()).isEqualTo(20);
    }

    @Test
    void only_letters_that_the_filter_selects_come_back() {
        letters(20);
        failure = null;
        Redriver redriver =
                redriver().filter(LetterFilter.ALL.withName("order.n7")).build();
        drive(redriver);
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Finished(1));
        assertThat(left()).isEqualTo(19);
    }

    @Test
    void a_redrive_without_letters_is_finished_at_once() {
        assertThat(redriver().canary().build().step(time.now())).isEqualTo(new Redriver.State.Finished(0));
    }

    @Test
    void a_redrive_ends_early_when_another_operator_took_letters() {
        letters(5);
        Redriver redriver = redriver().perSecond(10).build();
        redriver.step(time.now());
        store.deadLetters().purge(LetterFilter.ALL, 100, "bob", time.now());
        time.advance(SECOND);
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Finished(1));
    }

    @Test
    void a_clock_set_back_by_an_hour_does_not_stop_it() {
        letters(5);
        Redriver redriver = redriver().perSecond(1).build();
        redriver.step(time.now());
        time.jump(Duration.ofHours(-1));
        assertThat(redriver.step(time.now()).redriven()).isEqualTo(2);
    }

    @Test
    void run_waits_until_the_end_and_reports_its_progress() throws InterruptedException {
        letters(30);
        failure = null;
        for (int i = 1; i < 60; i++) {
            time.schedule(SECOND.multipliedBy(i).dividedBy(2), pipeline::drain);
        }
        List<Redriver.State> states = new ArrayList<>();
        Redriver.State end = redriver().canary().build().run(time, states::add);
        assertThat(end).isEqualTo(new Redriver.State.Finished(30));
        assertThat(states).last().isEqualTo(end);
        assertThat(states).hasAtLeastOneElementOfType(Redriver.State.Waiting.class);
        assertThat(time.sleeps())
                .isNotEmpty()
                .allSatisfy(slept -> assertThat(slept).isLessThanOrEqualTo(SECOND));
    }

    @Test
    void an_interrupt_stops_run_and_is_recorded() {
        letters(30);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> redriver().canary().build().run(time)).isInstanceOf(InterruptedException.class);
        assertThat(runs().get(0)).isEqualTo("canary stopped, 1 of 30");
    }

    private static String fingerprint() {
        return Fingerprint.of("IllegalStateException", new IllegalStateException("downstream is down").toString());
    }

    @Test
    void a_limit_leaves_the_younger_letters_where_they_are() {
        letters(5);
        failure = null;
        Redriver redriver = redriver().limit(2).build();
        drive(redriver);
        assertThat(redriver.step(time.now())).isEqualTo(new Redriver.State.Finished(2));
        assertThat(store.deadLetters().list(LetterFilter.ALL, 0, 10))
                .extracting(letter -> letter.event().name())
                .containsExactly("order.n2", "order.n3", "order.n4");
        assertThatThrownBy(() -> redriver().limit(0)).hasMessage("limit must be at least 1, got 0");
    }
}
