package io.redrive.items.store;

import java.util.Comparator;

/**
 * Counts the failures of one type at one stage of a run.
 *
 * @param stage the name of the stage
 * @param errorType the short type of the failures
 * @param message the message of one of the failures
 * @param attempts the number of attempts that failed
 * @param dead the number of samples that are dead with this failure; reprocessed samples do not count
 */
public record ErrorCount(String stage, String errorType, String message, long attempts, long dead) {

    /** Orders by attempts, the most first, then by stage and type, so that equal counts have a fixed order. */
    public static final Comparator<ErrorCount> MOST_COMMON_FIRST = Comparator.comparingLong(ErrorCount::attempts)
            .reversed()
            .thenComparing(ErrorCount::stage)
            .thenComparing(ErrorCount::errorType);
}
