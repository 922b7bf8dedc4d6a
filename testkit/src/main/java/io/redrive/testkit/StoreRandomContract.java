package io.redrive.testkit;

import org.junit.jupiter.api.Test;

/** Random uses of events and dead letters: every answer equals the answer of a simple model. */
interface StoreRandomContract extends StoreUnderTest {

    /** Number of random uses. */
    default int randomUses() {
        return 20;
    }

    /**
     * False for a store with scans that start at a mark: such a store may overlook a due event for a while, and claim
     * events in another order than by due time.
     */
    default boolean claimsExactly() {
        return true;
    }

    /** A failure names its seed; {@code -Dredrive.seed=…} repeats the use with this seed. */
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
