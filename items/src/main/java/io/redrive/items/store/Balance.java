package io.redrive.items.store;

/**
 * Accounts for every sample of a run: {@code in = succeeded + skipped + dead + notStarted}.
 *
 * @param in the samples of the source; in a run that stopped early with a source of unknown size, the samples taken so far
 * @param succeeded samples that passed all stages
 * @param skipped samples that a stage skipped
 * @param dead samples whose last allowed attempt failed
 * @param notStarted samples without an end; 0 in a finished run
 * @param begun the part of {@code notStarted} that was taken from the source; the store keeps their latest values
 */
public record Balance(long in, long succeeded, long skipped, long dead, long notStarted, long begun) {

    /** Refuses counts that do not add up. */
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
