package io.redrive.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many simulated lives of a store, each from a seed; see docs/simulation.md. */
class SimulationTest {

    private static final Logger LOGGER = Logger.getLogger(Pipeline.class.getPackageName());
    private static final int SHOWN = 60;

    @BeforeEach
    void silenceTheLog() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreTheLog() {
        LOGGER.setLevel(null);
    }

    @Test
    void every_accepted_event_ends_once_and_in_the_right_state() {
        Long only = Long.getLong("redrive.seed");
        long first = only == null ? 1 : only;
        long count = only == null ? Long.getLong("redrive.seeds", 2_000) : 1;
        // Lives share nothing, so each processor runs some of them.
        LongStream.range(first, first + count).parallel().forEach(SimulationTest::live);
    }

    private static void live(long seed) {
        try {
            new Simulation(seed, null).run();
        } catch (Throwable e) {
            throw new AssertionError(
                    "seed " + seed + ", replay it with -Dredrive.seed=" + seed + ": " + e + "\n" + story(seed), e);
        }
    }

    /** Returns the last lines of the run, by running the seed again. */
    private static String story(long seed) {
        List<String> trace = new ArrayList<>();
        try {
            new Simulation(seed, trace).run();
        } catch (Throwable e) {
            trace.add(e.toString());
        }
        return String.join("\n", trace.subList(Math.max(0, trace.size() - SHOWN), trace.size()));
    }
}
