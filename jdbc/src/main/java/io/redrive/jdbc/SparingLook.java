package io.redrive.jdbc;

import io.redrive.core.Time;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether to look into a table that is nearly always empty. A look is cheap, unless rows that were deleted lie in the
 * way (as told in {@link PostgresLowWater}); then looks get at most a twentieth of the time. Thread-safe.
 */
final class SparingLook {

    private static final int SHARE = 20;
    private static final long CHEAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Time time;
    private volatile long lastLook;
    private volatile long price;

    SparingLook(Time time) {
        this.time = time;
        lastLook = time.nanos();
    }

    /** A look that may be worthwhile, if anybody {@code wants} it at all. */
    Look begin(boolean wants) {
        long now = time.nanos();
        return new Look(wants && (price < CHEAP_NANOS || now - lastLook >= SHARE * price), now);
    }

    /** A look, or the decision to do without. */
    final class Look {
        private final boolean worthwhile;
        private final long began;

        private Look(boolean worthwhile, long began) {
            this.worthwhile = worthwhile;
            this.began = began;
        }

        boolean isWorthwhile() {
            return worthwhile;
        }

        /** To be called when the look is over. */
        void ended() {
            if (worthwhile) {
                lastLook = time.nanos();
                price = lastLook - began;
            }
        }
    }
}
