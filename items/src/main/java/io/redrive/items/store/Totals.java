package io.redrive.items.store;

import java.util.OptionalLong;

/**
 * Counts the samples of a run, exact as of the last commit.
 *
 * @param taken samples taken from the source
 * @param succeeded samples that passed all stages
 * @param skipped samples that a stage skipped
 * @param dead samples that died
 * @param sourceEnded true when the source has no more samples
 * @param sourceSize the size of the source; empty when unknown
 */
public record Totals(
        long taken, long succeeded, long skipped, long dead, boolean sourceEnded, OptionalLong sourceSize) {

    /** The counts of a new run. */
    public static final Totals NONE = new Totals(0, 0, 0, 0, false, OptionalLong.empty());

    /** Returns the number of samples with an end. */
    public long processed() {
        return succeeded + skipped + dead;
    }

    /** Returns the number of samples taken from the source that have no end. */
    public long pending() {
        return taken - processed();
    }

    /** Returns true when the source has no more samples and every sample has an end. */
    public boolean isComplete() {
        return sourceEnded && pending() == 0;
    }

    /** Returns these counts as a balance. */
    public Balance balance() {
        long in = sourceEnded ? taken : Math.max(taken, sourceSize.orElse(taken));
        return new Balance(in, succeeded, skipped, dead, in - processed(), pending());
    }
}
