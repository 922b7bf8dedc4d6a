package io.redrive.items.store;

import java.util.OptionalLong;

/**
 * Counts of a run, exact as of its last commit.
 *
 * @param taken samples taken from the source
 * @param succeeded samples through all stages
 * @param skipped samples a stage let go no further
 * @param dead samples given up on
 * @param sourceEnded true once the source had no more
 * @param sourceSize how many the source has, where that is known
 */
public record Totals(
        long taken, long succeeded, long skipped, long dead, boolean sourceEnded, OptionalLong sourceSize) {

    /** Of a run that has not begun. */
    public static final Totals NONE = new Totals(0, 0, 0, 0, false, OptionalLong.empty());

    /** Samples that have their end. */
    public long processed() {
        return succeeded + skipped + dead;
    }

    /** Samples taken that have no end yet. */
    public long pending() {
        return taken - processed();
    }

    /** True when the source has ended and every sample has its end. */
    public boolean isComplete() {
        return sourceEnded && pending() == 0;
    }

    /** The same counts as a balance. */
    public Balance balance() {
        long in = sourceEnded ? taken : Math.max(taken, sourceSize.orElse(taken));
        return new Balance(in, succeeded, skipped, dead, in - processed(), pending());
    }
}
