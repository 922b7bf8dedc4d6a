package io.redrive.items.store;

/**
 * Every sample of a run, accounted for: {@code in = succeeded + skipped + dead + notStarted}.
 *
 * @param in samples of the source; where its size is unknown and the run stopped early, those taken from it
 * @param succeeded through all stages
 * @param skipped a stage let them go no further
 * @param dead given up on
 * @param notStarted have no end yet; none in a finished run
 * @param begun those of {@code notStarted} that were taken from the source, with what their stages made kept
 */
public record Balance(long in, long succeeded, long skipped, long dead, long notStarted, long begun) {

    /** Refuses numbers that do not add up. */
    public Balance {
        if (in != succeeded + skipped + dead + notStarted || begun > notStarted) {
            throw new IllegalArgumentException("the balance must be in = succeeded + skipped + dead + not started, got "
                    + in + " = " + succeeded + " + " + skipped + " + " + dead + " + " + notStarted + " (begun: " + begun
                    + ")");
        }
    }

    @Override
    public String toString() {
        return in + " in = " + succeeded + " succeeded + " + skipped + " skipped + " + dead + " dead + " + notStarted
                + " not started";
    }
}
