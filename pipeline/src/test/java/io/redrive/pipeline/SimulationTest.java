package io.redrive.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many lives of a store, each from a seed. See docs/simulation.md. */
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
    void whatever_happens_everything_accepted_ends_once_and_as_it_has_to() {
        Long only = Long.getLong("redrive.seed");
        long first = only == null ? 1 : only;
        long count = only == null ? Long.getLong("redrive.seeds", 2_000) : 1;
        for (long seed = first; seed < first + count; seed++) {
            try {
                new Simulation(seed, null).run();
            } catch (Throwable e) {
                throw new AssertionError(
                        "seed " + seed + ", replay it with -Dredrive.seed=" + seed + ": " + e + "\n" + story(seed), e);
            }
        }
    }

    /** The end of the story, told by living it once more. */
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
