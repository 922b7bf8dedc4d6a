package io.redrive.items.store;

import java.util.Comparator;

/**
 * How often a failure happened in a run.
 *
 * @param stage where
 * @param errorType its short type
 * @param message what it said, one of them
 * @param attempts how many attempts failed so
 * @param dead how many samples are dead of it now; a sample that was brought back does not count
 */
public record ErrorCount(String stage, String errorType, String message, long attempts, long dead) {

    /** By attempts, then by names, so that equal counts keep an order. */
    public static final Comparator<ErrorCount> MOST_COMMON_FIRST = Comparator.comparingLong(ErrorCount::attempts)
            .reversed()
            .thenComparing(ErrorCount::stage)
            .thenComparing(ErrorCount::errorType);
}
