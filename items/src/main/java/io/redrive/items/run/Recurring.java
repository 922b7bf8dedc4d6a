package io.redrive.items.run;

import java.time.Duration;
import java.time.Instant;

/** When something that recurs is due next. Due at once at the beginning. Used by the coordinator only. */
final class Recurring {

    private final Duration period;
    private Instant next = Instant.MIN;

    /** Recurs after {@code period} at the latest. */
    Recurring(Duration period) {
        this.period = period;
    }

    Instant next() {
        return next;
    }

    void nextAt(Instant moment) {
        next = moment;
    }

    /** Returns true when the time has come, or when the clock was set back so far that it is more than a period away. */
    boolean isDue(Instant now) {
        return !now.isBefore(next) || now.plus(period).isBefore(next);
    }
}
