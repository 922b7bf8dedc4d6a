package io.redrive.core;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Randomness in tests: the seed is fixed unless {@code -Dredrive.seed=…} sets another, and every failure names the
 * seed.
 */
final class Seeds {

    static final long SEED = Long.getLong("redrive.seed", 20_260_101L);

    private Seeds() {}

    /** Returns a separate generator for the {@code salt}-th case of a test. */
    static RandomGenerator random(long salt) {
        return new SplittableRandom(SEED + salt * 0x9E3779B97F4A7C15L);
    }

    /** Returns the text of a failing assertion, with the option that repeats the case. */
    static String replay(Object detail) {
        return detail + " (again with -Dredrive.seed=" + SEED + ")";
    }
}
