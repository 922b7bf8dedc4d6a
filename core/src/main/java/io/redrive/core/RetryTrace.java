package io.redrive.core;

import java.time.Duration;

/**
 * Suppressed in the exception that a {@link Retry} gives up with. It tells the reader of a stack trace what was tried,
 * and tells an outer {@code Retry} that an inner one has already run out.
 *
 * <p>Exception objects are sometimes reused (constants, cached failures), so being marked is not enough: the count of
 * {@link Exhaustions} tells whether the mark was made during the attempt that is looked at. Of an object marked before,
 * only a mark made by the same thread counts: another thread may just have ended a call of its own with it.
 */
public final class RetryTrace extends Exception {

    private static final long serialVersionUID = 1L;

    private String summary;
    private long order;
    private long thread;
    private boolean reused;

    private RetryTrace() {
        super(null, null, false, false);
    }

    /** Marks {@code error} as what a retry ran out with. */
    static void mark(Throwable error, int attempts, Duration elapsed, Reason reason) {
        RetryTrace trace = of(error);
        if (trace == null) {
            trace = new RetryTrace();
            error.addSuppressed(trace);
        }
        synchronized (trace) {
            trace.summary = "gave up after " + attempts + (attempts == 1 ? " attempt" : " attempts")
                    + (elapsed.isZero() ? "" : " in " + DurationText.format(elapsed)) + ": " + reason.code();
            trace.reused = trace.order > 0;
            trace.thread = Thread.currentThread().getId();
            trace.order = Exhaustions.next();
        }
    }

    /** True when {@code error}, or a cause of it, was marked after {@code moment}. */
    static boolean markedSince(long moment, Throwable error) {
        for (Throwable at : CauseChain.of(error)) {
            RetryTrace trace = of(at);
            if (trace != null && trace.isLaterThan(moment)) {
                return true;
            }
        }
        return false;
    }

    private synchronized boolean isLaterThan(long moment) {
        return order > moment && (!reused || thread == Thread.currentThread().getId());
    }

    private static RetryTrace of(Throwable error) {
        for (Throwable suppressed : error.getSuppressed()) {
            if (suppressed instanceof RetryTrace trace) {
                return trace;
            }
        }
        return null;
    }

    @Override
    public synchronized String getMessage() {
        return summary;
    }
}
