package io.redrive.testkit;

import org.junit.jupiter.api.Test;

/** Random uses of events and dead letters: every answer is the one that a simple model gives. */
interface StoreRandomContract extends StoreUnderTest {

    /** How many to try. */
    default int randomUses() {
        return 20;
    }

    /**
     * False for a store that looks first where it expects due events: it may overlook a due event for a while, and hand out
     * events in another order than that of their due times.
     */
    default boolean claimsExactly() {
        return true;
    }

    /** A failure names its seed; {@code -Dredrive.seed=…} runs it again. */
    @Test
    default void random_uses_of_events_and_letters_give_the_answers_of_a_simple_model() {
        Long given = Long.getLong("redrive.seed");
        long last = given == null ? randomUses() : given;
        for (long seed = given == null ? 1 : given; seed <= last; seed++) {
            try {
                new RandomStoreUse(seed, this, claimsExactly()).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("failed with -Dredrive.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
