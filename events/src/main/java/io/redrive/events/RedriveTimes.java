package io.redrive.events;

import java.time.Instant;
import java.util.Optional;

/**
 * The times of a redrive operation, by the clock of its store.
 *
 * @param created when the preview began
 * @param started when the operation was started; empty before
 * @param ended when the operation finished, halted or was cancelled; empty before
 * @param changed when the operation last changed
 */
public record RedriveTimes(Instant created, Optional<Instant> started, Optional<Instant> ended, Instant changed) {

    static RedriveTimes begun(Instant now) {
        return new RedriveTimes(now, Optional.empty(), Optional.empty(), now);
    }

    RedriveTimes startedAt(Instant now) {
        return new RedriveTimes(created, Optional.of(now), ended, now);
    }

    RedriveTimes endedAt(Instant now) {
        return new RedriveTimes(created, started, Optional.of(now), now);
    }

    RedriveTimes changedAt(Instant now) {
        return new RedriveTimes(created, started, ended, now);
    }
}
