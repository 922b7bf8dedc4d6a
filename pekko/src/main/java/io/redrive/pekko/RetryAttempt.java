package io.redrive.pekko;

/**
 * The attempt that the actor is making, for handlers whose work depends on the attempt number; see
 * {@link RetryBehavior#around(java.util.function.Function)}. To be read in the actor, while its handler runs.
 */
public interface RetryAttempt {

    /** The number of the current attempt at the current message, counted from 1. */
    int number();

    /** The number of attempts that the policy allows. */
    int maxAttempts();

    /** True when the policy allows no attempt after the current one. */
    default boolean isLast() {
        return number() >= maxAttempts();
    }
}
