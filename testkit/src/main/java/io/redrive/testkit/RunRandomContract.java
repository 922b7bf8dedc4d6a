package io.redrive.testkit;

import org.junit.jupiter.api.Test;

/** Random runs: every sample is accounted for, whatever happens. */
interface RunRandomContract extends RunStoreUnderTest {

    /** Number of random runs. */
    default int randomRuns() {
        return 20;
    }

    /** A failure names its seed; {@code -Dredrive.seed=…} repeats the run with this seed. */
    @Test
    default void every_sample_of_random_runs_is_accounted_for_whatever_happens() {
        Long given = Long.getLong("redrive.seed");
        long last = given == null ? randomRuns() : given;
        for (long seed = given == null ? 1 : given; seed <= last; seed++) {
            try {
                new RandomRun(seed, open(), this::reopened).live();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("failed with -Dredrive.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
