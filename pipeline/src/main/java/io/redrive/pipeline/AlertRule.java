package io.redrive.pipeline;

import io.redrive.events.activity.ActivityCounts;

/**
 * When a value is above its threshold: one rule for the {@linkplain Alerts alerts of a process} and the {@linkplain
 * StoreAlert alerts of a whole store}.
 */
final class AlertRule {

    private AlertRule() {}

    /**
     * Returns the value of an alert on rates, letters or causes. A rate of fewer samples than the thresholds ask for is zero.
     *
     * @param counts what happened within {@link AlertThresholds#window}
     */
    static double value(Alerts.Kind kind, ActivityCounts counts, LetterTally letters, AlertThresholds thresholds) {
        int least = thresholds.minSamples();
        return switch (kind) {
            case RETRY_RATE -> counts.attempts() < least ? 0 : counts.retryRate();
            case DEAD_LETTERS -> letters.letters();
            case REGRESSED_CAUSES -> letters.regressedCauses();
            case BATCH_TIMEOUT_RATE -> counts.batches() < least ? 0 : counts.batchTimeoutRate();
            case DEDUP_RATE -> counts.offered() < least ? 0 : counts.dedupRate();
            case STUCK_HANDLERS, UNHANDLED_AGE ->
                throw new IllegalArgumentException(kind.code() + " is not part of the activity of a store");
        };
    }

    /** Returns the largest value without an alert. */
    static double threshold(Alerts.Kind kind, AlertThresholds thresholds) {
        return switch (kind) {
            case RETRY_RATE -> thresholds.retryRate();
            case DEAD_LETTERS -> thresholds.deadLetters();
            case BATCH_TIMEOUT_RATE -> thresholds.timeoutRate();
            case DEDUP_RATE -> thresholds.dedupRate();
            case STUCK_HANDLERS, REGRESSED_CAUSES -> 0;
            case UNHANDLED_AGE -> thresholds.unhandledAge().toSeconds();
        };
    }

    static boolean isAbove(double value, double threshold) {
        return value > threshold;
    }
}
