package io.redrive.pipeline;

import java.time.Duration;
import java.time.Instant;

/** Something the coordinator does now and then, besides moving events; it decides itself whether its time has come. */
interface Chore {

    /** True when events became ready. */
    boolean work(Instant now);

    /** The pipeline has come to its end. */
    default void leave() {}

    /** Also due when the clock was set back so far that the next time would be too long in coming. */
    static boolean isDue(Instant next, Instant now, Duration period) {
        return !now.isBefore(next) || now.plus(period).isBefore(next);
    }
}
