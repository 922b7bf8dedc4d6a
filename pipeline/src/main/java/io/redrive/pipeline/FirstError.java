package io.redrive.pipeline;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs independent parts of a step: an exception of a part is kept while the other parts run, and thrown afterwards. */
final class FirstError {

    /** Null while no part threw. */
    private @Nullable Throwable first;

    /** Returns the result of {@code part}, or false when {@code part} throws an exception or error. */
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

    /** Throws the first exception or error, if a part threw. */
    void throwFirst() {
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first;
        }
    }
}
