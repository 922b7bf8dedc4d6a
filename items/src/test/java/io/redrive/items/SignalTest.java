package io.redrive.items;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits for a signal and is not woken waits for an hour: then the time limit fails the test. */
@Timeout(60)
final class SignalTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Signal signal = new Signal();

    @Test
    void one_raised_before_the_wait_ends_it() throws InterruptedException {
        signal.raise();
        signal.await(LONG);
        signal.clear();
        signal.raiseSoon();
        signal.await(LONG);
    }

    @Test
    void one_raised_during_the_wait_ends_it() throws InterruptedException {
        wakeWhileWaiting(signal::raise);
        signal.clear();
        wakeWhileWaiting(signal::raiseSoon);
    }

    @Test
    void one_that_can_wait_for_more_does_not_keep_back_one_that_cannot() throws InterruptedException {
        signal.raiseSoon();
        signal.raise();
        signal.await(LONG);
    }

    @Test
    void one_that_was_forgotten_ends_no_wait() throws InterruptedException {
        signal.raise();
        signal.raiseSoon();
        signal.clear();
        assertThat(waited()).isGreaterThanOrEqualTo(SHORT);
        signal.raiseSoon();
        signal.clear();
        assertThat(waited()).isGreaterThanOrEqualTo(SHORT);
    }

    private Duration waited() throws InterruptedException {
        long began = System.nanoTime();
        signal.await(SHORT);
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
        signal.await(LONG);
        other.join();
    }
}
