package io.redrive.core;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Chance in tests: the seed is fixed unless {@code -Dredrive.seed=…} gives another, and every failure names it. */
final class Seeds {

    static final long SEED = Long.getLong("redrive.seed", 20_260_101L);

    private Seeds() {}

    /** A generator of its own for the {@code salt}-th case of a test. */
    static RandomGenerator random(long salt) {
        return new SplittableRandom(SEED + salt * 0x9E3779B97F4A7C15L);
    }

    /** What a failing assertion tells, so that the same case can be run again. */
    static String replay(Object detail) {
        return detail + " (again with -Dredrive.seed=" + SEED + ")";
    }
}
