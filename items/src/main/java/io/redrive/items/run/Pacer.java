package io.redrive.items.run;

import io.redrive.items.RateLimit;
import java.time.Duration;

/**
 * When a stage may be called next: as often as its rate limit allows, and not before the time a server asked for. A hint
 * is about the caller, not about one sample: whoever called next would be refused as well, and would have spent an attempt
 * on it. Works on the monotonic clock. Used by the coordinator only.
 */
final class Pacer {

    /** A coordinator that wakes late may catch up with so much. */
    private static final long CATCH_UP_NANOS = Duration.ofMillis(50).toNanos();

    static final Duration LONGEST = Duration.ofDays(365);

    private final long limit;
    private long between;
    private boolean called;
    private long next;
    private boolean paused;
    private long resume;

    Pacer(RateLimit limit) {
        this.limit = limit == null ? 0 : limit.spacing().toNanos();
        between = this.limit;
    }

    boolean isLimited() {
        return limit > 0;
    }

    /** So many processes divide what is allowed. */
    void share(int processes) {
        between = limit * Math.max(1, processes);
    }

    /** So many calls, or as many as this process may make in so long. */
    long atMost(long nanos, long calls) {
        return between == 0 ? calls : Math.min(calls, nanos / between);
    }

    /** True while a server's wish holds. */
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

    /** Nobody calls for so long. */
    void pause(Duration hint, long nanos) {
        long until = nanos + (hint.compareTo(LONGEST) > 0 ? LONGEST : hint).toNanos();
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
