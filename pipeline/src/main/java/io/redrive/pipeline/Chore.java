package io.redrive.pipeline;

import java.time.Duration;
import java.time.Instant;

/** A periodic task of the coordinator besides moving events. The chore itself checks whether its time has come. */
interface Chore {

    /** Does the work if it is due. Returns true when events became ready. */
    boolean work(Instant now);

    /** Returns when the chore wants the next step; by default, any later step is soon enough. */
    default Instant next() {
        return Instant.MAX;
    }

    /** Called once, after the last settlement of the pipeline. */
    default void leave() {}

    /**
     * Returns true from {@code next} on, and also when the clock was set back: {@code next} is further away than a
     * period.
     */
    static boolean isDue(Instant next, Instant now, Duration period) {
        return !now.isBefore(next) || now.plus(period).isBefore(next);
    }
}
