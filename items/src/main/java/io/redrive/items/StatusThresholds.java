package io.redrive.items;

/**
 * What share of a run's samples must not have died for which status. Skipped samples count as well done: a filter that
 * drops half of them is no failure.
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

    /** The status of a run with these numbers of processed samples; an empty run is completed. */
    public RunStatus statusOf(long succeeded, long skipped, long dead) {
        long processed = succeeded + skipped + dead;
        long good = processed - dead;
        if (Share.compare(good, completed, processed) >= 0) {
            return RunStatus.COMPLETED;
        }
        return Share.compare(good, partial, processed) >= 0 ? RunStatus.PARTIAL_SUCCESS : RunStatus.FAILED;
    }
}
