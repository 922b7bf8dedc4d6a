package io.redrive.pekko;

/** The attempt under way, for a handler that wants to know; see {@link RetryBehavior#around(java.util.function.Function)}. */
public interface RetryAttempt {

    /** Which attempt at the message of the moment this is, counted from 1. */
    int number();

    /** How many the policy allows. */
    int maxAttempts();

    /** True when no other attempt will follow. */
    default boolean isLast() {
        return number() >= maxAttempts();
    }
}
