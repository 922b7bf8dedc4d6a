package io.redrive.core;

/** Adds suppressed exceptions within a limit: exception objects are sometimes reused and must not grow with each call. */
final class Suppression {

    /** How many suppressed exceptions Redrive lets an exception carry. */
    static final int MAX_SUPPRESSED = 10;

    private Suppression() {}

    /**
     * Adds {@code added} to {@code error}, unless both are the same object or {@code error} already carries it or too
     * many.
     */
    static void add(Throwable error, Throwable added) {
        Throwable[] carried = error.getSuppressed();
        if (error == added || carried.length >= MAX_SUPPRESSED) {
            return;
        }
        for (Throwable one : carried) {
            if (one == added) {
                return;
            }
        }
        error.addSuppressed(added);
    }
}
