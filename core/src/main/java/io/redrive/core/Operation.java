package io.redrive.core;

/**
 * Work that returns a value and may throw {@code X}; a lambda that throws nothing checked needs no {@code try}.
 *
 * @param <T> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Operation<T, X extends Exception> {

    /** Does the work once. */
    T run() throws X;
}
