package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait without a signal takes an hour: the time limit of the class fails the test long before. */
@Timeout(60)
final class SignalTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Signal signal = new Signal();

    @Test
    void a_signal_raised_before_the_wait_ends_the_wait() throws InterruptedException {
        signal.raise();
        assertThat(signal.await(LONG)).isTrue();
        signal.clear();
        signal.raiseSoon();
        assertThat(signal.await(LONG)).isTrue();
    }

    @Test
    void a_signal_raised_during_the_wait_ends_the_wait() throws InterruptedException {
        wakeWhileWaiting(signal::raise);
        signal.clear();
        wakeWhileWaiting(signal::raiseSoon);
    }

    @Test
    void raise_soon_does_not_delay_a_raise() throws InterruptedException {
        signal.raiseSoon();
        signal.raise();
        assertThat(signal.await(LONG)).isTrue();
    }

    @Test
    void a_cleared_signal_ends_no_wait() throws InterruptedException {
        signal.raise();
        signal.raiseSoon();
        signal.clear();
        assertThat(waited()).isGreaterThanOrEqualTo(SHORT);
        signal.raiseSoon();
        signal.clear();
        assertThat(waited()).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void a_wait_of_zero_or_less_only_looks() throws InterruptedException {
        assertThat(signal.await(Duration.ZERO)).isFalse();
        assertThat(signal.await(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
        signal.raiseSoon();
        assertThat(signal.await(Duration.ZERO)).isTrue();
    }

    @Test
    void a_wait_may_be_longer_than_a_long_has_nanoseconds() throws InterruptedException {
        signal.raise();
        assertThat(signal.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }

    private Duration waited() throws InterruptedException {
        long began = System.nanoTime();
        assertThat(signal.await(SHORT)).isFalse();
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private void wakeWhileWaiting(Runnable wake) throws InterruptedException {
        Thread waiting = Thread.currentThread();
        Thread other = new Thread(() -> {
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.yield();
            }
            wake.run();
        });
        other.setDaemon(true);
        other.start();
        assertThat(signal.await(LONG)).isTrue();
        other.join();
    }
}
