package io.redrive.pipeline;

import java.time.Duration;

/**
 * When {@link Alerts} are raised: above, not at, a threshold. Start from {@link #STANDARD}.
 *
 * @param window the time over which rates are counted, 10 seconds to 1 day
 * @param minSamples a rate of fewer attempts, batches or publications raises no alert
 * @param retryRate retries, as a share of all attempts that ended
 * @param deadLetters the number of dead letters in the store
 * @param timeoutRate batches that ran into the time limit, as a share of all batches that ended
 * @param dedupRate duplicates, as a share of all published events
 * @param unhandledAge how long an event may wait for which no live node has a handler
 */
public record AlertThresholds(
        Duration window,
        int minSamples,
        double retryRate,
        long deadLetters,
        double timeoutRate,
        double dedupRate,
        Duration unhandledAge)
        implements ThresholdsInForce {

    /** A shorter window would judge by a few checks. */
    private static final Duration MIN_WINDOW = Duration.ofSeconds(10);

    private static final Duration UNHANDLED_AGE = Duration.ofMinutes(5);

    /**
     * Over 5 minutes and 20 samples: retry rate 10 %, 100 dead letters, time-out rate 5 %, duplicates 20 %; events without a
     * handler after 5 minutes.
     */
    public static final AlertThresholds STANDARD =
            new AlertThresholds(Duration.ofMinutes(5), 20, 0.10, 100, 0.05, 0.20);

    /** Refuses thresholds that no value or every value exceeds. */
    public AlertThresholds {
        if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("alert window must be between 10 s and 1 day, got " + window);
        }
        Range.require("minSamples", minSamples, 1, 1_000_000);
        requireShare("retryRate", retryRate);
        requireShare("timeoutRate", timeoutRate);
        requireShare("dedupRate", dedupRate);
        if (deadLetters < 0) {
            throw new IllegalArgumentException("deadLetters must be at least 0, got " + deadLetters);
        }
        if (unhandledAge.isNegative()) {
            throw new IllegalArgumentException("unhandledAge must not be negative, got " + unhandledAge);
        }
    }

    /** Returns these thresholds, which never change. */
    @Override
    public AlertThresholds get() {
        return this;
    }

    /** With the standard age of events without a handler. */
    public AlertThresholds(
            Duration window, int minSamples, double retryRate, long deadLetters, double timeoutRate, double dedupRate) {
        this(window, minSamples, retryRate, deadLetters, timeoutRate, dedupRate, UNHANDLED_AGE);
    }

    /** With another age of events without a handler. */
    public AlertThresholds withUnhandledAge(Duration value) {
        return new AlertThresholds(window, minSamples, retryRate, deadLetters, timeoutRate, dedupRate, value);
    }

    /** With another window for rates. */
    public AlertThresholds withWindow(Duration value) {
        return new AlertThresholds(value, minSamples, retryRate, deadLetters, timeoutRate, dedupRate, unhandledAge);
    }

    /** With another least number of samples. */
    public AlertThresholds withMinSamples(int value) {
        return new AlertThresholds(window, value, retryRate, deadLetters, timeoutRate, dedupRate, unhandledAge);
    }

    /** With another share of retries. */
    public AlertThresholds withRetryRate(double value) {
        return new AlertThresholds(window, minSamples, value, deadLetters, timeoutRate, dedupRate, unhandledAge);
    }

    /** With another number of dead letters. */
    public AlertThresholds withDeadLetters(long value) {
        return new AlertThresholds(window, minSamples, retryRate, value, timeoutRate, dedupRate, unhandledAge);
    }

    /** With another share of batches that time out. */
    public AlertThresholds withTimeoutRate(double value) {
        return new AlertThresholds(window, minSamples, retryRate, deadLetters, value, dedupRate, unhandledAge);
    }

    /** With another share of duplicates. */
    public AlertThresholds withDedupRate(double value) {
        return new AlertThresholds(window, minSamples, retryRate, deadLetters, timeoutRate, value, unhandledAge);
    }

    private static void requireShare(String what, double value) {
        // Written this way round, NaN is refused too.
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(what + " must be a share between 0 and 1, got " + value);
        }
    }
}
