package io.redrive.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Consecutive calls, each within its limit, with one alarm for many calls. */
final class TimeLimitTest {

    private final ManualTime manual = new ManualTime();
    private final List<Duration> alarms = new ArrayList<>();
    private int calledOff;
    private Runnable whenLookedAt = () -> {};
    private Runnable whenSet = () -> {};

    /** Manual time that counts alarms. */
    private final Time time = new Time() {
        @Override
        public Instant now() {
            return manual.now();
        }

        @Override
        public long nanos() {
            Runnable now = whenLookedAt;
            whenLookedAt = () -> {};
            now.run();
            return manual.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            manual.sleep(duration);
        }

        @Override
        public Scheduled schedule(Duration delay, Runnable task) {
            alarms.add(delay);
            Scheduled scheduled = manual.schedule(delay, task);
            whenSet.run();
            return () -> {
                calledOff++;
                scheduled.cancel();
            };
        }
    };

    private final TimeLimit limit = new TimeLimit(time, ofSeconds(10));

    @AfterEach
    void nothing_is_left_interrupted() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void quick_calls_share_one_alarm() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            int each = i;
            assertThat(limit.<Integer>call(() -> each)).isEqualTo(i);
        }
        assertThat(alarms).containsExactly(ofSeconds(10));
    }

    @Test
    void a_call_that_takes_too_long_is_interrupted_and_says_so() {
        assertThatExceptionOfType(AttemptTimeoutException.class)
                .isThrownBy(() -> limit.call(() -> {
                    manual.advance(ofSeconds(10));
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    throw new IOException("gone");
                }))
                .withMessage("attempt exceeded its time limit of 10s")
                .withCauseInstanceOf(IOException.class);
    }

    @Test
    void a_late_call_has_its_whole_limit_though_the_alarm_is_an_old_one() throws Exception {
        limit.call(() -> "quick");
        manual.advance(ofSeconds(9));
        assertThat(limit.<String>call(() -> {
                    manual.advance(Duration.ofMillis(9_999));
                    return Thread.currentThread().isInterrupted() ? "interrupted" : "in time";
                }))
                .isEqualTo("in time");
        assertThat(alarms).containsExactly(ofSeconds(10), ofSeconds(9));
    }

    @Test
    void a_late_call_is_interrupted_exactly_when_its_own_time_is_up() {
        assertThatExceptionOfType(AttemptTimeoutException.class).isThrownBy(() -> {
            limit.call(() -> "quick");
            manual.advance(ofSeconds(9));
            limit.call(() -> {
                manual.advance(ofSeconds(10));
                return "too late";
            });
        });
    }

    @Test
    void an_alarm_between_calls_does_nothing_and_the_next_call_sets_another() throws Exception {
        limit.call(() -> "quick");
        manual.advance(ofSeconds(60));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        limit.call(() -> "quick");
        assertThat(alarms).containsExactly(ofSeconds(10), ofSeconds(10));
    }

    @Test
    void after_a_time_out_the_next_call_is_watched_again() {
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(AttemptTimeoutException.class)
                    .isThrownBy(() -> limit.call(() -> {
                        manual.advance(ofSeconds(11));
                        return "too late";
                    }));
        }
        assertThat(alarms).hasSize(3);
    }

    @Test
    void exceptions_of_the_call_come_through() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> limit.call(() -> {
                    throw new IOException("down");
                }))
                .withMessage("down");
    }

    @Test
    void closing_calls_off_the_alarm() throws Exception {
        limit.close();
        assertThat(calledOff).isZero();
        TimeLimit used = new TimeLimit(time, ofSeconds(10));
        used.call(() -> "quick");
        used.close();
        assertThat(calledOff).isEqualTo(1);
    }

    @Test
    void an_alarm_that_is_being_set_while_the_limit_is_closed_is_called_off_too() throws Exception {
        whenSet = limit::close;
        limit.call(() -> "quick");
        assertThat(calledOff).isEqualTo(1);
        assertThat(manual.pending()).isZero();
    }

    @Test
    void an_old_alarm_in_the_very_moment_of_a_beginning_leaves_the_call_alone() throws Exception {
        limit.call(() -> "quick");
        manual.advance(ofSeconds(9));
        whenLookedAt = () -> manual.advance(ofSeconds(1));
        assertThat(limit.<String>call(() -> Thread.currentThread().isInterrupted() ? "interrupted" : "in time"))
                .isEqualTo("in time");
        assertThat(alarms).containsExactly(ofSeconds(10), ofSeconds(10));
    }

    @Test
    void a_call_inside_a_call_needs_a_separate_limit() throws Exception {
        assertThat(limit.<String>call(() -> {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> limit.call(() -> "inner"))
                            .withMessageStartingWith("a time limit must be used for one call at a time");
                    return "outer";
                }))
                .isEqualTo("outer");
    }

    @Test
    void each_thread_needs_a_separate_limit() throws Exception {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Thread other = new Thread(() -> thrown.add(catchThrowable(() -> limit.call(() -> "quick"))), "other");
        other.start();
        other.join();
        assertThat(thrown)
                .singleElement(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("got 'other'");
    }

    @Test
    void an_alarm_in_the_very_moment_of_the_end_never_reaches_the_next_call() {
        int timedOut = 0;
        // The real clock and a limit as short as the calls: either may win.
        try (TimeLimit racing = new TimeLimit(Time.system(), Duration.ofNanos(60_000))) {
            for (int i = 0; i < 5_000; i++) {
                long until = System.nanoTime() + 60_000;
                try {
                    racing.call(() -> {
                        while (System.nanoTime() < until) {
                            Thread.onSpinWait();
                        }
                        return "done";
                    });
                } catch (AttemptTimeoutException e) {
                    timedOut++;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
        }
        assertThat(timedOut).isPositive();
    }

    @Test
    void a_limit_must_be_longer_than_zero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeLimit(time, Duration.ZERO))
                .withMessage("limit must be longer than zero, got PT0S");
    }
}
