package io.redrive.core;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * A limit of calls at once that finds itself: the limit grows while calls stay as quick as they are without load, and falls when
 * calls take longer or the downstream pushes back (HTTP 429 or 503, a time-out). Thread-safe.
 *
 * <p>The algorithm is TCP Vegas (Brakmo and Peterson, 1994), which Netflix's concurrency-limits brought to calls of services,
 * with the multiplicative decrease of AIMD (Chiu and Jain, 1989) for calls that were pushed back:
 *
 * <ul>
 *   <li>Calls are counted in windows. The latency of a window is the mean of its successful calls; other failures count for
 *       nothing.
 *   <li>By Little's law, {@code limit × (1 − latency without load ÷ latency)} calls wait inside the downstream. Below a quarter of
 *       the limit the limit grows, above half the limit falls by a tenth, in between the limit stays.
 *   <li>The limit grows by half of itself until a window first tells it to fall, then by a tenth. A window in which fewer calls
 *       ran than the limit allows does not make the limit grow.
 *   <li>In a window with pushed-back calls (more than one in fifty) the limit falls by a tenth.
 *   <li>The latency without load is the least latency of windows. Every {@value #PROBE_EVERY} windows the limit is halved for one
 *       window, which measures the latency without load anew: a downstream may have become slower for good.
 * </ul>
 *
 * <p>An instance limits the calls of its process, and processes divide the bound {@code most} by {@link #share}, as they divide
 * a rate limit. Nothing here reads a clock: the same calls always give the same limit.
 *
 * <pre>{@code
 * Pipeline.on(store).on("mail.*", mailer::send).adaptiveLimit("mail.*", AdaptiveLimit.between(1, 64));
 * }</pre>
 */
public final class AdaptiveLimit {

    /** The greatest bound. */
    public static final int MOST = 1_000;

    static final int PROBE_EVERY = 25;
    private static final int FIRST = 4;
    private static final int LEAST_WINDOW = 40;
    private static final double GROW_BELOW = 0.25;
    private static final double FALL_ABOVE = 0.5;
    private static final int PUSHED_BACK_ONE_IN = 50;
    private static final double STEP = 0.1;
    /** The weight of a window with a lower latency than the latency without load known so far. */
    private static final double SMOOTHING = 0.25;

    private static final Set<String> PUSH_BACKS = Set.of("http_429", "http_503", "timeout");

    private final int least;
    private final int most;

    // All fields below are guarded by this object, but for the limit, which is read without a lock.
    private volatile int limit;
    private int bound;
    private int inFlight;
    private int busiest;
    private int succeeded;
    private int pushedBack;
    private double sumNanos;
    private double unloadedNanos;
    private double lastNanos;
    /** True when the last window had calls that were pushed back. */
    private boolean lastRefused;

    private boolean quickStart = true;
    private int windows;
    /** The limit to return to after the probe; zero when no probe is under way. */
    private int beforeProbe;
    /** Calls under way when a probe began: their latency belongs to the former limit. */
    private int ignored;

    private AdaptiveLimit(int least, int most) {
        if (least < 1 || most < least || most > MOST) {
            throw new IllegalArgumentException("an adaptive limit must be between 1 and " + MOST
                    + ", the least before the most; got between " + least + " and " + most);
        }
        this.least = least;
        this.most = most;
        bound = most;
        limit = Math.max(least, Math.min(FIRST, most));
    }

    /** How a call ended, as far as the limit is concerned. */
    public enum Ending {
        /** The duration of the call tells how loaded the downstream is. */
        SUCCEEDED,
        /** A failure of the call alone, which tells nothing about load. */
        FAILED,
        /** The downstream refused the call because of its load, or did not answer in time. */
        PUSHED_BACK;

        /** Returns {@code PUSHED_BACK} for HTTP 429 and 503, for a time limit and the kind {@code timeout}; else {@code FAILED}. */
        public static Ending of(Failure failure) {
            boolean late = failure instanceof Failure.Thrown thrown && thrown.is(AttemptTimeoutException.class);
            return late || PUSH_BACKS.contains(failure.type()) ? PUSHED_BACK : FAILED;
        }
    }

    /**
     * Returns a limit that stays within these bounds and starts at 4, or at the nearer bound.
     *
     * @throws IllegalArgumentException unless 1 ≤ least ≤ most ≤ {@value #MOST}
     */
    public static AdaptiveLimit between(int least, int most) {
        return new AdaptiveLimit(least, most);
    }

    /** Returns how many calls may run at once at the moment. */
    public int limit() {
        return limit;
    }

    /** A call begins. */
    public synchronized void began() {
        inFlight++;
        busiest = Math.max(busiest, inFlight);
    }

    /** A call that began has ended after this time. */
    public synchronized void ended(Duration took, Ending ending) {
        inFlight = Math.max(0, inFlight - 1);
        if (ignored > 0) {
            ignored--;
            return;
        }
        if (ending == Ending.SUCCEEDED) {
            succeeded++;
            sumNanos += Math.max(1, took.toNanos());
        } else if (ending == Ending.PUSHED_BACK) {
            pushedBack++;
        }
        if (succeeded + pushedBack >= Math.max(LEAST_WINDOW, 2 * limit)) {
            endWindow();
        }
    }

    /** Divides the upper bound between so many processes; each process keeps the least. */
    public synchronized void share(int processes) {
        bound = Math.max(least, most / Math.max(1, processes));
        limit = Math.min(limit, bound);
    }

    private void endWindow() {
        int calls = succeeded + pushedBack;
        boolean refused = pushedBack * PUSHED_BACK_ONE_IN > calls;
        double latency = succeeded == 0 ? 0 : sumNanos / succeeded;
        boolean probed = beforeProbe > 0;
        if (probed) {
            limit = Math.min(bound, beforeProbe);
            beforeProbe = 0;
            unloadedNanos = latency > 0 ? latency : unloadedNanos;
        }
        if (refused) {
            fall();
        } else if (latency > 0 && !probed) {
            follow(latency);
        }
        lastNanos = latency > 0 ? latency : lastNanos;
        lastRefused = refused;
        windows++;
        if (windows % PROBE_EVERY == 0 && limit > least) {
            beforeProbe = limit;
            ignored = inFlight;
            limit = Math.max(least, limit / 2);
        }
        succeeded = 0;
        pushedBack = 0;
        sumNanos = 0;
        busiest = inFlight;
    }

    private void follow(double latency) {
        if (unloadedNanos == 0) {
            unloadedNanos = latency;
        } else if (latency < unloadedNanos) {
            unloadedNanos += SMOOTHING * (latency - unloadedNanos);
        }
        double waiting = limit * (1 - Math.min(1, unloadedNanos / latency));
        if (waiting > Math.max(2, FALL_ABOVE * limit)) {
            fall();
        } else if (waiting < Math.max(1, GROW_BELOW * limit) && busiest >= limit) {
            int step = quickStart ? limit / 2 : (int) (STEP * limit);
            limit = Math.min(bound, limit + Math.max(1, step));
        }
    }

    private void fall() {
        quickStart = false;
        limit = Math.max(least, limit - Math.max(1, (int) (STEP * limit)));
    }

    /** Returns the least number of calls at once. */
    public int least() {
        return least;
    }

    /** Returns the most calls at once: the upper bound, or the part of it that {@link #share} left to this process. */
    public synchronized int most() {
        return bound;
    }

    /** Returns the reason for the limit in words: the latencies of calls, and the last push-back. */
    public synchronized String why() {
        if (lastNanos == 0 && !lastRefused) {
            return "no window of calls has ended";
        }
        String latencies = lastNanos == 0
                ? "no call succeeded"
                : "calls take %s, %s without load"
                        .formatted(millis(lastNanos), millis(unloadedNanos == 0 ? lastNanos : unloadedNanos));
        return latencies + (lastRefused ? ", and calls were pushed back" : "");
    }

    /** Returns the limit, its bounds and the reason for it in words. */
    public synchronized String describe() {
        return "up to " + limit + " calls at once (" + least + " to " + bound + "); " + why();
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    @Override
    public String toString() {
        return "AdaptiveLimit[" + describe() + "]";
    }
}
