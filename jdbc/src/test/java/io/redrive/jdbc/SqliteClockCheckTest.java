package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clock that was an hour ahead for a while. */
final class SqliteClockCheckTest {

    private static final Logger LOGGER = Logger.getLogger(SqliteClockCheck.class.getName());
    private static final Logger PIPELINE_LOGGER = Logger.getLogger(Pipeline.class.getPackageName());
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(30);

    @TempDir
    private Path dir;

    private final ManualTime time = new ManualTime();
    private final List<String> warnings = new ArrayList<>();
    private final Handler ear = new Handler() {
        @Override
        public void publish(LogRecord line) {
            warnings.add(MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private SqliteStore store;

    @BeforeEach
    void open() {
        store = SqliteFiles.create(dir);
        LOGGER.addHandler(ear);
        LOGGER.setUseParentHandlers(false);
        PIPELINE_LOGGER.setLevel(Level.OFF);
    }

    @AfterEach
    void close() {
        LOGGER.setUseParentHandlers(true);
        LOGGER.removeHandler(ear);
        store.close();
    }

    @Test
    void a_key_whose_event_was_retried_while_the_clock_was_ahead_goes_on_within_a_minute() {
        List<String> handled = new ArrayList<>();
        boolean[] broken = {true};
        Pipeline pipeline = Pipeline.on(store)
                .executor(Runnable::run)
                .time(time)
                .random(new SplittableRandom(7))
                .policies(EventPolicies.defaults()
                        .with(
                                "*",
                                RetryPolicy.builder()
                                        .maxAttempts(100)
                                        .backoff(Backoff.fixed(SECOND))
                                        .jitter(Jitter.none())
                                        .build()))
                .on("*", event -> {
                    if (broken[0]) {
                        throw new IllegalStateException("broken");
                    }
                    handled.add(event.id());
                })
                .build();
        run(pipeline, 10);
        time.jump(HOUR);
        pipeline.publish(List.of(event("first").build(), event("second").build()));
        run(pipeline, 10);
        pipeline.publish(event("third").build());
        broken[0] = false;
        time.jump(HOUR.negated());
        run(pipeline, 60);
        assertThat(handled).containsExactly("first", "second", "third");
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("the clock was set back by about", "2026-01-01T01:00:");
    }

    @Test
    void waits_keep_their_length_and_chosen_due_times_stay() {
        recover();
        store.publish(List.of(event("old").orderingKey(null).build()), time.now());
        retry(claim(), Duration.ofMinutes(90));
        time.jump(HOUR);
        recover();
        store.publish(
                List.of(event("chosen")
                        .orderingKey(null)
                        .due(time.now().plus(SECOND))
                        .build()),
                time.now());
        store.publish(List.of(event("retried").orderingKey(null).build()), time.now());
        retry(claim(), Duration.ofMinutes(10));
        setBack();
        time.advance(Duration.ofMinutes(9));
        assertThat(claim()).isEmpty();
        time.advance(Duration.ofMinutes(1));
        assertThat(claim()).extracting(claim -> claim.event().id()).containsExactly("retried");
        time.advance(Duration.ofMinutes(51));
        assertThat(claim()).extracting(claim -> claim.event().id()).containsExactly("chosen");
        time.advance(Duration.ofMinutes(30));
        assertThat(claim()).extracting(claim -> claim.event().id()).containsExactly("old");
    }

    @Test
    void released_and_snoozed_events_and_those_of_dead_processes_are_due_soon() {
        time.jump(HOUR);
        recover();
        for (String id : List.of("released", "snoozed", "held")) {
            store.publish(List.of(event(id).orderingKey(null).build()), time.now());
        }
        List<Claim> claims = claim();
        store.settle(List.of(new Settlement.Release(claims.get(0))), time.now());
        store.settle(List.of(new Settlement.Snooze(claims.get(1), time.now().plus(SECOND))), time.now());
        setBack();
        time.advance(SECOND);
        assertThat(claim()).extracting(claim -> claim.event().id()).containsExactly("released", "snoozed");
        time.advance(LEASE);
        assertThat(recover()).isPositive();
        assertThat(claim()).extracting(claim -> claim.event().id()).contains("held");
    }

    @Test
    void a_retry_decided_before_the_clock_was_set_back_and_settled_after_is_due_soon() {
        time.jump(HOUR);
        recover();
        store.publish(List.of(event("retried").build()), time.now());
        Claim claim = claim().get(0);
        Settlement decided = retryOf(claim, SECOND);
        time.jump(HOUR.negated());
        store.settle(List.of(decided), time.now());
        recover();
        time.advance(SECOND);
        recover();
        time.advance(SECOND);
        assertThat(claim()).hasSize(1);
    }

    @Test
    void a_lease_extended_after_the_clock_was_set_back_stays_as_it_is() {
        time.jump(HOUR);
        recover();
        store.publish(List.of(event("held").build()), time.now());
        List<Long> tokens = claim().stream().map(Claim::token).toList();
        time.jump(HOUR.negated());
        recover();
        store.extend(tokens, LEASE, time.now());
        time.advance(Duration.ofSeconds(5));
        recover();
        time.advance(Duration.ofSeconds(24));
        assertThat(recover()).isZero();
        time.advance(SECOND);
        assertThat(recover()).isOne();
    }

    @Test
    void a_store_opened_after_the_clock_was_set_back_notices_too() {
        time.jump(HOUR);
        recover();
        store.publish(List.of(event("waiting").build()), time.now());
        store.close();
        store = SqliteStore.open(SqliteFiles.in(dir));
        setBack();
        assertThat(claim()).hasSize(1);
        assertThat(warnings).hasSize(1);
    }

    @Test
    void one_recovery_that_was_stalled_since_it_was_told_the_time_moves_nothing() {
        store.publish(List.of(event("held").build()), time.now());
        claim();
        recover();
        for (int stalls = 0; stalls < 3; stalls++) {
            store.recover(time.now().minus(HOUR));
            recover();
        }
        time.advance(LEASE.minus(SECOND));
        assertThat(recover()).isZero();
        assertThat(warnings).isEmpty();
    }

    @Test
    void a_step_back_within_the_tolerance_is_waited_out() {
        recover();
        time.jump(SqliteClockCheck.TOLERANCE.negated());
        for (int i = 0; i < 10; i++) {
            recover();
            time.advance(SECOND);
        }
        assertThat(warnings).isEmpty();
    }

    private void setBack() {
        time.jump(HOUR.negated());
        recover();
        time.advance(Duration.ofMillis(1));
        recover();
    }

    private int recover() {
        return store.recover(time.now());
    }

    private void run(Pipeline pipeline, int seconds) {
        for (int i = 0; i < seconds; i++) {
            pipeline.drain();
            time.advance(SECOND);
        }
    }

    private List<Claim> claim() {
        return store.claim(new ClaimRequest("node-1", Lane.DOMAIN, 10, false, LEASE, time.now()));
    }

    private void retry(List<Claim> claims, Duration delay) {
        claims.forEach(claim -> store.settle(List.of(retryOf(claim, delay)), time.now()));
    }

    private Settlement retryOf(Claim claim, Duration delay) {
        AttemptRecord attempt = new AttemptRecord(1, time.now(), "node-1", SECOND, "E", "broken", "retry", "");
        return new Settlement.Retry(claim, time.now().plus(delay), delay, attempt);
    }

    private Event.Builder event(String id) {
        return Event.named("order.paid")
                .id(id)
                .source("shop")
                .orderingKey("order-1")
                .time(time);
    }
}
