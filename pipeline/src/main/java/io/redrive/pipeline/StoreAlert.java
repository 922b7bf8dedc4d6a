package io.redrive.pipeline;

import io.redrive.events.DeadLetters;
import io.redrive.events.activity.ActivityCounts;
import java.time.Instant;
import java.util.List;

/**
 * A threshold and the value of a whole store: of all nodes together, whichever process asks. The alerts of one process,
 * which stay raised for a while, are {@link Alerts}.
 *
 * @param kind the value that is watched
 * @param raised whether the value is above its threshold
 * @param value the value; zero when there are too few samples
 * @param threshold the largest value without an alert
 */
public record StoreAlert(Alerts.Kind kind, boolean raised, double value, double threshold) {

    private static final List<Alerts.Kind> KINDS = List.of(
            Alerts.Kind.RETRY_RATE,
            Alerts.Kind.DEAD_LETTERS,
            Alerts.Kind.BATCH_TIMEOUT_RATE,
            Alerts.Kind.DEDUP_RATE,
            Alerts.Kind.REGRESSED_CAUSES);

    /**
     * Compares the activity and the dead letters of a store with thresholds. Letters of ignored causes do not count.
     *
     * @param counts the activity of all nodes within {@link AlertThresholds#window}
     */
    public static List<StoreAlert> of(
            ActivityCounts counts, DeadLetters letters, AlertThresholds thresholds, Instant now) {
        return of(counts, LetterTally.of(letters, now), thresholds);
    }

    static List<StoreAlert> of(ActivityCounts counts, LetterTally letters, AlertThresholds thresholds) {
        return KINDS.stream()
                .map(kind -> {
                    double value = AlertRule.value(kind, counts, letters, thresholds);
                    double threshold = AlertRule.threshold(kind, thresholds);
                    return new StoreAlert(kind, AlertRule.isAbove(value, threshold), value, threshold);
                })
                .toList();
    }
}
