package io.redrive.items;

import io.redrive.items.store.RunStatus;

/**
 * The shares of succeeded samples that decide the final status of a run. Skipped samples do not count: a filter that drops most
 * samples neither worsens the status nor hides failures. Immutable.
 *
 * @param completed the minimum share for {@code completed}; 95 % by default
 * @param partial the minimum share for {@code partial_success}, below which the run is {@code failed}; 50 % by default
 */
public record StatusThresholds(double completed, double partial) {

    /** The default: 95 % and 50 %. */
    public static final StatusThresholds STANDARD = new StatusThresholds(0.95, 0.50);

    /** Refuses shares outside 0 to 1, and a {@code partial} above {@code completed}. */
    public StatusThresholds {
        if (!(partial >= 0 && completed <= 1 && partial <= completed)) {
            throw new IllegalArgumentException(
                    "status thresholds must satisfy 0 <= partial <= completed <= 1, got partial " + partial
                            + " and completed " + completed);
        }
    }

    /**
     * Returns the status of a run with these numbers of succeeded and dead samples. A run without both, because the source was
     * empty or all samples were skipped, is completed.
     */
    public RunStatus statusOf(long succeeded, long dead) {
        long tried = succeeded + dead;
        if (Share.compare(succeeded, completed, tried) >= 0) {
            return RunStatus.COMPLETED;
        }
        return Share.compare(succeeded, partial, tried) >= 0 ? RunStatus.PARTIAL_SUCCESS : RunStatus.FAILED;
    }
}
