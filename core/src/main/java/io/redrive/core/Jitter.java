package io.redrive.core;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Randomness added to a delay after the cap, so that callers who failed together do not come back together.
 * Immutable.
 *
 * <p>{@link #full()} spreads most and suits many callers that contend for one resource; {@link #factor} stays close
 * to the schedule.
 */
public sealed interface Jitter {

    /** Returns the wait after jitter, never negative. */
    Duration apply(Wait wait, RandomGenerator random);

    /** Returns the shortest wait that {@link #apply} can return. */
    Duration least(Wait wait);

    /** Returns the longest wait that {@link #apply} can return. */
    Duration most(Wait wait);

    /**
     * The delay that jitter is applied to.
     *
     * @param base the capped delay of the backoff
     * @param initial the backoff's first delay
     * @param previous the previous wait, zero before the first
     * @param cap the backoff's longest delay
     */
    record Wait(Duration base, Duration initial, Duration previous, Duration cap) {}

    /** Returns jitter that leaves the delay unchanged. */
    static Jitter none() {
        return new None();
    }

    /** Uniform in [d(1-f), d(1+f)]; may exceed the cap. */
    static Jitter factor(double factor) {
        return new Factor(factor);
    }

    /** Uniform in [0, d]. */
    static Jitter full() {
        return new Full();
    }

    /** Half the delay, plus uniform in [0, d/2]. */
    static Jitter equal() {
        return new Equal();
    }

    /** Returns jitter that adds uniform [0, d*f] to the delay d, capped again. */
    static Jitter additive(double factor) {
        return new Additive(factor);
    }

    /**
     * Returns jitter that is uniform in [initial, previous*3], capped: each wait grows from the previous wait, not
     * from the attempt.
     */
    static Jitter decorrelated() {
        return new Decorrelated();
    }

    /** No jitter. */
    record None() implements Jitter {
        @Override
        public Duration apply(Wait wait, RandomGenerator random) {
            return wait.base();
        }

        @Override
        public Duration least(Wait wait) {
            return wait.base();
        }

        @Override
        public Duration most(Wait wait) {
            return wait.base();
        }

        @Override
        public String toString() {
            return "no jitter";
        }
    }

    /** See {@link Jitter#factor}. */
    record Factor(double factor) implements Jitter {
        /** Refuses a factor outside 0 to 1. */
        public Factor {
            requireShare("jitter factor", factor);
        }

        @Override
        public Duration apply(Wait wait, RandomGenerator random) {
            return between(least(wait), most(wait), random);
        }

        @Override
        public Duration least(Wait wait) {
            return scaled(wait.base(), 1 - factor);
        }

        @Override
        public Duration most(Wait wait) {
            return scaled(wait.base(), 1 + factor);
        }

        @Override
        public String toString() {
            return "jitter ±" + DurationText.number(factor * 100) + "%";
        }
    }

    /** See {@link Jitter#full}. */
    record Full() implements Jitter {
        @Override
        public Duration apply(Wait wait, RandomGenerator random) {
            return between(Duration.ZERO, wait.base(), random);
        }

        @Override
        public Duration least(Wait wait) {
            return Duration.ZERO;
        }

        @Override
        public Duration most(Wait wait) {
            return wait.base();
        }

        @Override
        public String toString() {
            return "full jitter";
        }
    }

    /** See {@link Jitter#equal}. */
    record Equal() implements Jitter {
        @Override
        public Duration apply(Wait wait, RandomGenerator random) {
            return between(least(wait), wait.base(), random);
        }

        @Override
        public Duration least(Wait wait) {
            return scaled(wait.base(), 0.5);
        }

        @Override
        public Duration most(Wait wait) {
            return wait.base();
        }

        @Override
        public String toString() {
            return "equal jitter";
        }
    }

    /** See {@link Jitter#additive}. */
    record Additive(double factor) implements Jitter {
        /** Refuses a factor outside 0 to 1. */
        public Additive {
            requireShare("additive jitter factor", factor);
        }

        @Override
        public Duration apply(Wait wait, RandomGenerator random) {
            return smaller(between(wait.base(), uncapped(wait), random), wait.cap());
        }

        @Override
        public Duration least(Wait wait) {
            return wait.base();
        }

        @Override
        public Duration most(Wait wait) {
            return smaller(uncapped(wait), wait.cap());
        }

        private Duration uncapped(Wait wait) {
            // Scaling rounds; a delay of months could come out a few nanoseconds short of the base.
            return longer(wait.base(), scaled(wait.base(), 1 + factor));
        }

        @Override
        public String toString() {
            return "additive jitter +" + DurationText.number(factor * 100) + "%";
        }
    }

    /** See {@link Jitter#decorrelated}. */
    record Decorrelated() implements Jitter {
        @Override
        public Duration apply(Wait wait, RandomGenerator random) {
            Duration from = wait.initial();
            return smaller(between(from, longer(from, tripled(wait)), random), wait.cap());
        }

        @Override
        public Duration least(Wait wait) {
            return smaller(wait.initial(), wait.cap());
        }

        @Override
        public Duration most(Wait wait) {
            return smaller(longer(wait.initial(), tripled(wait)), wait.cap());
        }

        private static Duration tripled(Wait wait) {
            // The first wait has no previous wait and starts from the initial delay.
            return scaled(longer(wait.previous(), wait.initial()), 3);
        }

        @Override
        public String toString() {
            return "decorrelated jitter";
        }
    }

    private static void requireShare(String what, double factor) {
        if (!(factor >= 0.0 && factor <= 1.0)) {
            throw new IllegalArgumentException(what + " must be between 0 and 1, got " + factor);
        }
    }

    private static Duration between(Duration least, Duration most, RandomGenerator random) {
        long from = Backoff.nanosOf(least);
        long to = Backoff.nanosOf(most);
        if (from >= to) {
            return least;
        }
        // The bound is exclusive; Long.MAX_VALUE leaves no room for the extra nanosecond.
        long bound = to == Long.MAX_VALUE ? to : to + 1;
        return Duration.ofNanos(random.nextLong(from, bound));
    }

    private static Duration scaled(Duration duration, double by) {
        double nanos = Backoff.nanosOf(duration) * by;
        return nanos >= Long.MAX_VALUE ? Backoff.LONGEST : Duration.ofNanos(Math.round(nanos));
    }

    private static Duration smaller(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
