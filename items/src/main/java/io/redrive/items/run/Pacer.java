package io.redrive.items.run;

import io.redrive.items.RateLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a stage may be called next: as often as its rate limit allows, and not during a pause that a server asked for. A pause
 * holds for the whole stage, not for one sample: the server would refuse the next call too, which would cost that sample an
 * attempt. Works on the monotonic clock. Used by the coordinator only.
 */
final class Pacer {

    /** A coordinator that wakes late makes the missed calls of at most this time. */
    private static final long CATCH_UP_NANOS = Duration.ofMillis(50).toNanos();

    static final Duration LONGEST = Duration.ofDays(365);

    /** Nanoseconds between two calls of all processes together; 0 without a rate limit. */
    private final long limit;

    /** Nanoseconds between two calls of this process. */
    private long between;

    private boolean called;
    private long next;
    private boolean paused;
    private long resume;

    Pacer(@Nullable RateLimit limit) {
        this.limit = limit == null ? 0 : limit.spacing().toNanos();
        between = this.limit;
    }

    boolean isLimited() {
        return limit > 0;
    }

    /** Divides the rate limit between so many processes. */
    void share(int processes) {
        between = limit * Math.max(1, processes);
    }

    /** Returns {@code calls}, or how many calls this process may make within {@code nanos} when that is less. */
    long atMost(long nanos, long calls) {
        return between == 0 ? calls : Math.min(calls, nanos / between);
    }

    boolean isPaused(long nanos) {
        if (paused && nanos - resume >= 0) {
            paused = false;
        }
        return paused;
    }

    boolean mayCall(long nanos) {
        return !isPaused(nanos) && (!called || between == 0 || nanos - next >= 0);
    }

    /** A call is made now. */
    void called(long nanos) {
        if (between > 0) {
            long from = called ? Math.max(next, nanos - CATCH_UP_NANOS) : nanos;
            next = from + between;
            called = true;
        }
    }

    /** Pauses for so long; a longer pause under way stays. */
    void pause(Duration howLong, long nanos) {
        long until = nanos + (howLong.compareTo(LONGEST) > 0 ? LONGEST : howLong).toNanos();
        if (!isPaused(nanos) || until - resume > 0) {
            paused = true;
            resume = until;
        }
    }

    /** How long until a call may be made. */
    long waitNanos(long nanos) {
        long wait = isPaused(nanos) ? resume - nanos : 0;
        return called && between > 0 ? Math.max(wait, next - nanos) : wait;
    }
}
