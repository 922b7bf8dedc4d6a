package io.redrive.core;

/**
 * Work that returns nothing and may throw {@code X}.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Action<X extends Exception> {

    /** Does the work once. */
    void run() throws X;
}
