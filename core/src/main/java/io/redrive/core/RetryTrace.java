package io.redrive.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A suppressed exception in the final exception of a {@link Retry}. The trace shows the reader of a stack trace how
 * often the operation was tried, and shows an outer {@code Retry} that an inner one is exhausted.
 *
 * <p>Exception objects may be reused (constants, cached failures), so a trace alone proves nothing about the present
 * attempt. The count of {@link Exhaustions} shows whether the trace was made during the attempt. On a reused object
 * only a trace made by the same thread counts: another thread may have ended a call with the same object at the same
 * time.
 */
public final class RetryTrace extends Exception {

    private static final long serialVersionUID = 1L;

    private String summary = "";
    private long order;
    private long thread;
    private boolean reused;

    private RetryTrace() {
        super(null, null, false, false);
    }

    /** Marks {@code error} as the final exception of an exhausted retry. */
    static void mark(Throwable error, int attempts, Duration elapsed, Reason reason) {
        @Nullable RetryTrace trace = of(error);
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

    /** Returns true when an exception of the chain was marked after {@code moment}. */
    static boolean markedSince(long moment, List<Throwable> chain) {
        for (Throwable at : chain) {
            @Nullable RetryTrace trace = of(at);
            if (trace != null && trace.isLaterThan(moment)) {
                return true;
            }
        }
        return false;
    }

    private synchronized boolean isLaterThan(long moment) {
        return order > moment && (!reused || thread == Thread.currentThread().getId());
    }

    private static @Nullable RetryTrace of(Throwable error) {
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
