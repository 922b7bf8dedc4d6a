package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AutomaticRedriveTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private boolean broken = true;
    private int handled;

    private Pipeline pipeline(AutomaticRedrive settings) {
        return Pipeline.on(store)
                .executor(Runnable::run)
                .time(time)
                .random(RandomGenerator.of("L64X128MixRandom"))
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .automaticRedrive(settings)
                .on("slow.*", event -> {
                    handled++;
                    if (broken) {
                        throw new AttemptTimeoutException(Duration.ofSeconds(1));
                    }
                })
                .on("bad.*", event -> {
                    throw new IllegalStateException("bad");
                })
                .build();
    }

    private void publish(Pipeline pipeline, String name, int times) {
        pipeline.publish(Stream.generate(() -> Event.named(name)
                        .source("test")
                        .correlationId("c")
                        .time(time)
                        .build())
                .limit(times)
                .toList());
        pipeline.drain();
    }

    private void pass(Pipeline pipeline, Duration duration) {
        time.advance(duration);
        pipeline.drain();
    }

    private List<DeadLetter> letters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, 100);
    }

    @Test
    void a_letter_that_timed_out_is_brought_back_an_hour_later() {
        Pipeline pipeline = pipeline(AutomaticRedrive.STANDARD);
        publish(pipeline, "slow.call", 1);
        assertThat(letters()).singleElement().extracting(DeadLetter::reason).isEqualTo(Reason.TIMEOUT);
        broken = false;
        pass(pipeline, HOUR);
        assertThat(handled).isEqualTo(1);
        pass(pipeline, MINUTE);
        assertThat(handled).isEqualTo(2);
        assertThat(letters()).isEmpty();
        assertThat(store.deadLetters().actions(10))
                .singleElement()
                .extracting(OperatorAction::operator, OperatorAction::action, OperatorAction::letters)
                .containsExactly("automatic", "redrive", 1L);
    }

    @Test
    void a_letter_comes_back_three_times_and_then_stays() {
        Pipeline pipeline = pipeline(AutomaticRedrive.STANDARD);
        publish(pipeline, "slow.call", 1);
        for (int i = 0; i < 10; i++) {
            pass(pipeline, HOUR.plus(MINUTE));
        }
        assertThat(handled).isEqualTo(1 + 3);
        assertThat(letters()).singleElement().satisfies(letter -> {
            assertThat(letter.automaticRedrives()).isEqualTo(3);
            assertThat(letter.redrives()).isEqualTo(3);
        });
    }

    @Test
    void letters_of_other_reasons_stay() {
        Pipeline pipeline = pipeline(AutomaticRedrive.STANDARD);
        publish(pipeline, "bad.call", 1);
        pass(pipeline, HOUR.multipliedBy(2));
        assertThat(letters()).singleElement().extracting(DeadLetter::redrives).isEqualTo(0);
    }

    @Test
    void no_more_come_back_in_a_minute_than_allowed() {
        Pipeline pipeline = pipeline(AutomaticRedrive.STANDARD.withLettersPerMinute(4));
        publish(pipeline, "slow.call", 10);
        broken = false;
        pass(pipeline, HOUR.plus(MINUTE));
        assertThat(letters()).hasSize(6);
        pass(pipeline, Duration.ofSeconds(59));
        assertThat(letters()).hasSize(6);
        pass(pipeline, Duration.ofSeconds(1));
        assertThat(letters()).hasSize(2);
    }

    @Test
    void a_restart_forgets_no_letter() {
        publish(pipeline(AutomaticRedrive.STANDARD), "slow.call", 1);
        broken = false;
        time.advance(HOUR.plus(MINUTE));
        pipeline(AutomaticRedrive.STANDARD).drain();
        assertThat(letters()).isEmpty();
    }

    @Test
    void automatic_redrive_that_is_switched_off_redrives_no_letter() {
        Pipeline pipeline = pipeline(AutomaticRedrive.OFF);
        publish(pipeline, "slow.call", 1);
        pass(pipeline, Duration.ofDays(1));
        assertThat(letters()).hasSize(1);
    }

    @Test
    void settings_that_would_spin_are_refused() {
        assertThatThrownBy(() -> AutomaticRedrive.STANDARD.withAfter(Duration.ZERO))
                .hasMessage("after must be at least 1 minute, got PT0S");
        assertThatThrownBy(() -> AutomaticRedrive.STANDARD.withTimesPerLetter(0))
                .hasMessage("timesPerLetter must be between 1 and 100, got 0");
    }

    @Test
    void several_nodes_together_bring_back_no_more_than_the_limit() {
        AutomaticRedrive settings = new AutomaticRedrive(Set.of(Reason.TIMEOUT), HOUR, 3, 4);
        Pipeline one = pipeline(settings);
        Pipeline two = pipeline(settings);
        publish(one, "slow.call", 10);
        broken = false;
        time.advance(HOUR.plus(MINUTE));
        one.drain();
        two.drain();
        assertThat(letters()).hasSize(10 - 4);
        pass(two, MINUTE);
        assertThat(letters()).hasSize(10 - 8);
    }

    @Test
    void the_limit_of_a_minute_holds_for_all_reasons_together() {
        AutomaticRedrive settings = AutomaticRedrive.STANDARD
                .withReasons(Reason.TIMEOUT, Reason.MAX_ATTEMPTS_EXCEEDED)
                .withLettersPerMinute(3);
        Pipeline pipeline = pipeline(settings);
        publish(pipeline, "slow.call", 2);
        publish(pipeline, "bad.call", 5);
        assertThat(letters()).extracting(DeadLetter::reason).contains(Reason.TIMEOUT, Reason.MAX_ATTEMPTS_EXCEEDED);
        broken = false;
        pass(pipeline, HOUR.plus(MINUTE));
        assertThat(store.deadLetters().actions(10).stream()
                        .mapToLong(OperatorAction::letters)
                        .sum())
                .isEqualTo(3);
    }
}
