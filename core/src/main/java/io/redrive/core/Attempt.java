package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The input of {@link RetryPolicy#decide}: a failed attempt, the time since the call began, the previous wait and a
 * source of randomness.
 *
 * @param number the number of the failed attempt, counted from 1
 * @param failure how the attempt failed
 * @param elapsed time since the first attempt began
 * @param previousDelay the wait before this attempt, zero before the first
 * @param random source of jitter; with a seeded source the decision repeats itself
 */
public record Attempt(int number, Failure failure, Duration elapsed, Duration previousDelay, RandomGenerator random) {

    /** Refuses an attempt number below 1 and negative times. */
    public Attempt {
        if (number < 1) {
            throw new IllegalArgumentException("attempt number must be at least 1, got " + number);
        }
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(random, "random");
        if (elapsed.isNegative()) {
            throw new IllegalArgumentException("elapsed must not be negative, got " + elapsed);
        }
        if (previousDelay.isNegative()) {
            throw new IllegalArgumentException("previousDelay must not be negative, got " + previousDelay);
        }
    }

    /** Returns the first attempt, failed without measurable time. */
    public static Attempt first(Failure failure, RandomGenerator random) {
        return new Attempt(1, failure, Duration.ZERO, Duration.ZERO, random);
    }
}
