package io.redrive.core;

/**
 * Work that returns nothing and may throw {@code X}.
 *
 * @param <X> the checked exception that the work may throw
 */
@FunctionalInterface
public interface Action<X extends Exception> {

    /** Does the work once. */
    void run() throws X;
}
