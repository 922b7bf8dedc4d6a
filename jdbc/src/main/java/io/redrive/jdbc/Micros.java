package io.redrive.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as stored in the database: microseconds since 1970, UTC. */
final class Micros {

    private static final long PER_SECOND = 1_000_000;
    private static final long NANOS = 1_000;
    /** Times nearer to 1970 than this fit for sure. */
    private static final long SURE_SECONDS = Long.MAX_VALUE / PER_SECOND - 1;

    private static final long LONGEST = Long.MAX_VALUE / 4;
    private static final Instant FIRST = Instant.EPOCH.plus(Long.MIN_VALUE, ChronoUnit.MICROS);
    private static final Instant LAST = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);

    private Micros() {}

    /** Microseconds of a time; a time outside the range of 290,000 years is cut. */
    static long of(Instant instant) {
        long seconds = instant.getEpochSecond();
        if (seconds > -SURE_SECONDS && seconds < SURE_SECONDS) {
            // Several times of each event pass here: two comparisons of instants would be most of the work.
            return seconds * PER_SECOND + instant.getNano() / NANOS;
        }
        if (instant.isAfter(LAST)) {
            return Long.MAX_VALUE;
        }
        if (instant.isBefore(FIRST)) {
            return Long.MIN_VALUE;
        }
        return seconds * PER_SECOND + instant.getNano() / NANOS;
    }

    /** Microseconds between two times, cut at 70,000 years so that adding them to a present time never overflows. */
    static long between(Instant from, Instant to) {
        return Math.max(-LONGEST, Math.min(LONGEST, of(to))) - Math.max(-LONGEST, Math.min(LONGEST, of(from)));
    }

    static Duration toDuration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static Instant toInstant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * NANOS);
    }
}
