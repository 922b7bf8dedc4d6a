package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.ServiceVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class AlertsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final List<String> told = new ArrayList<>();
    private final PipelineListener recorder = new PipelineListener() {
        @Override
        public void onAlert(Alert event) {
            told.add(event.name() + (event.raised() ? " raised" : " cleared"));
        }
    };
    private final WatchedValues watched = new WatchedValues(AlertThresholds.STANDARD.window());
    private AlertThresholds inForce = AlertThresholds.STANDARD;
    private final Alerts alerts =
            new Alerts(store.deadLetters(), () -> inForce, watched, recorder::onAlert, time.now());

    private void done(int times) {
        for (int i = 0; i < times; i++) {
            watched.onDone(new PipelineListener.Done(event(), 1, Duration.ZERO, time.now()));
        }
    }

    private void retry(int times) {
        for (int i = 0; i < times; i++) {
            watched.onRetry(new PipelineListener.Retrying(event(), 1, Duration.ZERO, "x", "x", time.now()));
        }
    }

    private void batch(PipelineListener.BatchOutcome outcome, int times) {
        for (int i = 0; i < times; i++) {
            watched.onBatch(new PipelineListener.Batched(
                    Lane.DOMAIN, outcome, 1, Duration.ZERO, List.of(), "", "", time.now()));
        }
    }

    private void checkAfter(Duration passed) {
        time.advance(passed);
        alerts.check(time.now());
    }

    private Alerts.State state(Alerts.Kind kind) {
        return alerts.current().get(kind.ordinal());
    }

    private Event event() {
        return Event.named("order.paid")
                .source("test")
                .correlationId("c")
                .time(time)
                .build();
    }

    private Pipeline.Builder stepped() {
        return Pipeline.on(store)
                .executor(Runnable::run)
                .time(time)
                .random(RandomGenerator.of("L64X128MixRandom"))
                .listener(recorder);
    }

    @Test
    void a_retry_rate_of_a_tenth_is_allowed_and_more_is_alerted() {
        done(90);
        retry(10);
        checkAfter(Duration.ofSeconds(1));
        assertThat(state(Alerts.Kind.RETRY_RATE).value()).isEqualTo(0.1);
        assertThat(told).isEmpty();
        retry(1);
        checkAfter(Duration.ofSeconds(1));
        assertThat(told).containsExactly("retry_rate raised");
        assertThat(state(Alerts.Kind.RETRY_RATE).raised()).isTrue();
    }

    @Test
    void letters_of_an_ignored_cause_do_not_count_for_the_alert() {
        for (int i = 0; i < 101; i++) {
            die("noise", Optional.empty());
        }
        change("noise", new CauseChange.Ignore(Optional.empty(), OptionalLong.of(5)));
        checkAfter(Duration.ofSeconds(1));
        assertThat(state(Alerts.Kind.DEAD_LETTERS).value()).isZero();
        for (int i = 0; i < 5; i++) {
            die("noise", Optional.empty());
        }
        checkAfter(Duration.ofSeconds(10));
        assertThat(told).containsExactly("dead_letters raised");
    }

    @Test
    void a_cause_that_returns_from_a_fixed_node_raises_an_alert_until_it_is_reopened() {
        die("fixed", Optional.of(new ServiceVersion("2.3")));
        change("fixed", new CauseChange.Resolve(Optional.of(new ServiceVersion("2.4"))));
        time.advance(Duration.ofSeconds(1));
        die("fixed", Optional.of(new ServiceVersion("2.3")));
        checkAfter(Duration.ofSeconds(10));
        assertThat(told).isEmpty();
        die("fixed", Optional.of(new ServiceVersion("2.4.1")));
        checkAfter(Duration.ofSeconds(10));
        assertThat(told).containsExactly("regressed_causes raised");
        change("fixed", new CauseChange.Reopen());
        checkAfter(Alerts.HOLD);
        assertThat(told).containsExactly("regressed_causes raised", "regressed_causes cleared");
    }

    private void change(String cause, CauseChange change) {
        assertThat(store.deadLetters().causes().change(cause, change, OperatorCommand.by("ann"), time.now()))
                .isPresent();
    }

    private void die(String cause, Optional<ServiceVersion> version) {
        store.publish(List.of(event()), time.now());
        Claim claim = store.claim(new ClaimRequest("n", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), time.now()))
                .get(0);
        AttemptRecord attempt =
                new AttemptRecord(1, time.now(), "n", Duration.ZERO, "IOException", "broken", "dead", "not retryable");
        store.settle(
                List.of(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt, cause, "shop", version)), time.now());
    }

    @Test
    void too_few_samples_raise_nothing() {
        retry(19);
        checkAfter(Duration.ofSeconds(1));
        assertThat(told).isEmpty();
        retry(1);
        checkAfter(Duration.ofSeconds(1));
        assertThat(told).containsExactly("retry_rate raised");
    }

    @Test
    void an_alert_is_raised_once_and_cleared_when_the_window_has_passed() {
        retry(50);
        checkAfter(Duration.ofSeconds(1));
        checkAfter(Duration.ofSeconds(1));
        assertThat(told).hasSize(1);
        checkAfter(AlertThresholds.STANDARD.window().minusSeconds(15));
        assertThat(told).hasSize(1);
        checkAfter(Duration.ofSeconds(15));
        assertThat(told).containsExactly("retry_rate raised", "retry_rate cleared");
    }

    @Test
    void an_alert_holds_for_a_minute_even_if_its_value_is_fine_again() {
        retry(20);
        checkAfter(Duration.ofSeconds(1));
        done(1_000);
        checkAfter(Alerts.HOLD.minusSeconds(1));
        assertThat(told).containsExactly("retry_rate raised");
        checkAfter(Duration.ofSeconds(1));
        assertThat(told).containsExactly("retry_rate raised", "retry_rate cleared");
    }

    @Test
    void values_are_compared_at_most_once_a_second() {
        retry(20);
        alerts.check(time.now());
        done(1_000);
        checkAfter(Duration.ofMillis(999));
        assertThat(state(Alerts.Kind.RETRY_RATE).value()).isEqualTo(1.0);
        checkAfter(Duration.ofMillis(1));
        assertThat(state(Alerts.Kind.RETRY_RATE).value()).isLessThan(0.1);
    }

    @Test
    void a_clock_set_back_by_an_hour_does_not_silence_it() {
        alerts.check(time.now());
        time.jump(Duration.ofHours(-1));
        retry(20);
        alerts.check(time.now());
        assertThat(told).containsExactly("retry_rate raised");
    }

    @Test
    void batches_that_time_out_are_alerted_above_one_in_twenty() {
        batch(PipelineListener.BatchOutcome.START, 20);
        batch(PipelineListener.BatchOutcome.STOP, 19);
        batch(PipelineListener.BatchOutcome.TIMEOUT, 1);
        checkAfter(Duration.ofSeconds(1));
        assertThat(told).isEmpty();
        batch(PipelineListener.BatchOutcome.TIMEOUT, 1);
        checkAfter(Duration.ofSeconds(1));
        assertThat(told).containsExactly("batch_timeout_rate raised");
    }

    @Test
    void duplicates_are_alerted_above_a_fifth_of_what_is_published() {
        Pipeline pipeline = stepped().build();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            events.add(event());
        }
        pipeline.publish(events);
        pipeline.publish(events.subList(0, 20));
        time.advance(Duration.ofSeconds(1));
        pipeline.step();
        assertThat(told).isEmpty();
        pipeline.publish(events.get(0));
        time.advance(Duration.ofSeconds(1));
        pipeline.step();
        assertThat(told).containsExactly("dedup_rate raised");
    }

    @Test
    void more_dead_letters_than_allowed_are_alerted_until_they_are_purged() {
        Pipeline pipeline = stepped()
                .handle("order.*", event -> Outcome.dead("no"))
                .alerts(AlertThresholds.STANDARD.withDeadLetters(2))
                .build();
        pipeline.publish(List.of(event(), event()));
        pipeline.drain();
        time.advance(Duration.ofSeconds(1));
        pipeline.drain();
        assertThat(told).isEmpty();
        pipeline.publish(event());
        pipeline.drain();
        time.advance(Duration.ofSeconds(1));
        pipeline.drain();
        assertThat(told).containsExactly("dead_letters raised");
        assertThat(pipeline.alerts().current())
                .filteredOn(Alerts.State::raised)
                .extracting(Alerts.State::kind, Alerts.State::value)
                .containsExactly(tuple(Alerts.Kind.DEAD_LETTERS, 3.0));
        store.deadLetters().purge(LetterFilter.ALL, 10, "me", time.now());
        time.advance(Alerts.HOLD);
        pipeline.drain();
        assertThat(told).containsExactly("dead_letters raised", "dead_letters cleared");
    }

    @Test
    void every_dead_letter_and_every_failed_critical_batch_is_announced() {
        List<String> announced = new ArrayList<>();
        Pipeline pipeline = stepped()
                .handle("order.*", event -> Outcome.dead("no"))
                .listener(new PipelineListener() {
                    @Override
                    public void onDead(Dead event) {
                        announced.add("dead " + event.reason());
                    }

                    @Override
                    public void onBatch(Batched event) {
                        if (event.isFailedCritical()) {
                            announced.add("critical batch of " + event.size());
                        }
                    }
                })
                .build();
        pipeline.publish(event().toBuilder().priority(Priority.CRITICAL).build());
        pipeline.publish(event());
        pipeline.drain();
        String dead = "dead " + Reason.NOT_RETRYABLE;
        assertThat(announced).containsExactlyInAnyOrder("critical batch of 1", dead, dead);
    }

    @Test
    void a_threshold_that_is_no_share_is_refused() {
        assertThatThrownBy(() -> AlertThresholds.STANDARD.withRetryRate(10))
                .hasMessage("retryRate must be a share between 0 and 1, got 10.0");
        assertThatThrownBy(() -> AlertThresholds.STANDARD.withDedupRate(Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AlertThresholds.STANDARD.withWindow(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void changed_thresholds_hold_from_the_next_check_on_and_a_new_window_counts_anew() {
        watched.onPublished(new PipelineListener.Published(90, 10, List.of(), time.now()));
        checkAfter(Duration.ofSeconds(1));
        assertThat(state(Alerts.Kind.DEDUP_RATE)).returns(false, Alerts.State::raised);
        inForce = inForce.withDedupRate(0.05);
        checkAfter(Duration.ofSeconds(1));
        assertThat(state(Alerts.Kind.DEDUP_RATE))
                .returns(true, Alerts.State::raised)
                .returns(0.05, Alerts.State::threshold);
        inForce = inForce.withWindow(Duration.ofMinutes(1));
        checkAfter(Alerts.HOLD);
        assertThat(state(Alerts.Kind.DEDUP_RATE))
                .returns(false, Alerts.State::raised)
                .returns(0.0, Alerts.State::value);
    }
}
