package io.redrive.server.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a destination has failed without a success. The clock starts only when two failures are at least twelve hours and at
 * most a day apart: a short outage starts nothing. Five days later the destination is disabled. Immutable and pure.
 *
 * @param first the failure that later failures are compared with
 * @param last the latest failure
 * @param started when the clock started; empty before
 */
record FailingClock(Instant first, Instant last, Optional<Instant> started) {

    /** How long a destination may fail after the clock has started. */
    static final Duration LIMIT = Duration.ofDays(5);

    private static final Duration APART = Duration.ofHours(12);
    private static final Duration WITHIN = Duration.ofHours(24);
    private static final String NOT_STARTED = "-";

    static FailingClock firstFailure(Instant at) {
        return new FailingClock(at, at, Optional.empty());
    }

    /** Returns the clock after another failure. */
    FailingClock failed(Instant at) {
        if (at.isBefore(last)) {
            return this;
        }
        if (started.isPresent()) {
            return new FailingClock(first, at, started);
        }
        Instant from = first;
        if (Duration.between(from, at).compareTo(WITHIN) > 0) {
            from = Duration.between(last, at).compareTo(WITHIN) > 0 ? at : last;
        }
        boolean starts = Duration.between(from, at).compareTo(APART) >= 0;
        return new FailingClock(from, at, starts ? Optional.of(at) : Optional.empty());
    }

    /** Returns when the destination is disabled, if it goes on failing. */
    Optional<Instant> disabledAt() {
        return started.map(start -> start.plus(LIMIT));
    }

    /** Returns true when the destination has failed for too long. */
    boolean isOver() {
        return disabledAt().filter(end -> !last.isBefore(end)).isPresent();
    }

    /** Returns the whole days since the clock started; a warning is due when the number grows. */
    long days() {
        return started.map(start -> Duration.between(start, last).toDays()).orElse(-1L);
    }

    static FailingClock parse(String text) {
        String[] parts = text.split(" ", 3);
        return new FailingClock(
                Instant.parse(parts[0]),
                Instant.parse(parts[1]),
                parts[2].equals(NOT_STARTED) ? Optional.empty() : Optional.of(Instant.parse(parts[2])));
    }

    String text() {
        return first + " " + last + " " + started.map(Instant::toString).orElse(NOT_STARTED);
    }
}
