package io.redrive.items;

import io.redrive.items.store.RunStatus;

/**
 * What share of a run's samples must succeed for which status. Skipped samples count neither way: a filter that drops most
 * samples makes no run worse, and hides no failure of the others.
 *
 * @param completed at least this share: {@code completed}; 95 % by default
 * @param partial at least this share: {@code partial_success}, else {@code failed}; 50 % by default
 */
public record StatusThresholds(double completed, double partial) {

    /** 95 % and 50 %. */
    public static final StatusThresholds STANDARD = new StatusThresholds(0.95, 0.50);

    /** Refuses what is no share, and thresholds in the wrong order. */
    public StatusThresholds {
        if (!(partial >= 0 && completed <= 1 && partial <= completed)) {
            throw new IllegalArgumentException(
                    "status thresholds must satisfy 0 <= partial <= completed <= 1, got partial " + partial
                            + " and completed " + completed);
        }
    }

    /**
     * Returns the status of a run with these numbers of samples that were not skipped. A run without such samples, because its
     * source was empty or all samples were skipped, is completed.
     */
    public RunStatus statusOf(long succeeded, long dead) {
        long tried = succeeded + dead;
        if (Share.compare(succeeded, completed, tried) >= 0) {
            return RunStatus.COMPLETED;
        }
        return Share.compare(succeeded, partial, tried) >= 0 ? RunStatus.PARTIAL_SUCCESS : RunStatus.FAILED;
    }
}
