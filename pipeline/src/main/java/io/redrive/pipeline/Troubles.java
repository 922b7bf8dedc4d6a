package io.redrive.pipeline;

import java.util.function.BooleanSupplier;

/** Runs several things of which each is to be done whatever the others throw, and throws the first trouble afterwards. */
final class Troubles {

    private Throwable first;

    /** Returns what {@code part} returns, or false when it throws anything. */
    boolean guard(BooleanSupplier part) {
        try {
            return part.getAsBoolean();
        } catch (RuntimeException | Error e) {
            add(e);
            return false;
        }
    }

    void add(Throwable trouble) {
        first = first == null ? trouble : first;
    }

    /** Throws the first trouble, if there was any. */
    void throwFirst() {
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first;
        }
    }
}
