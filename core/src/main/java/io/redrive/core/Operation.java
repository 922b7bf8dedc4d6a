package io.redrive.core;

import org.jspecify.annotations.Nullable;

/**
 * Work that returns a value and may throw {@code X}; a lambda that throws nothing checked needs no {@code try}.
 *
 * @param <T> the type of the value, which may be null
 * @param <X> the checked exception that the work may throw
 */
@FunctionalInterface
public interface Operation<T extends @Nullable Object, X extends Exception> {

    /** Does the work once. */
    T run() throws X;
}
