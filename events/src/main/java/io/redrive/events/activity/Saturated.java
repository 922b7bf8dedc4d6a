package io.redrive.events.activity;

/** Sums that stay at the highest number instead of turning negative: stored counts are not under our control. */
final class Saturated {

    private Saturated() {}

    /** Returns the sum of two numbers that are not negative. */
    static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
