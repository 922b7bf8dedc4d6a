package io.redrive.examples.simulation;

import java.util.OptionalInt;

/** Counts per second of a {@link Storm}. */
public final class Timeline {

    private static final double RECOVERED = 0.95;
    private static final int WINDOW = 5;

    private final long[] calls;
    private final long[] firstAttempts;
    private final long[] attempts;
    private final long[] successes;
    private final long[] wasted;

    Timeline(int seconds) {
        // The last element counts the events at the very end.
        calls = new long[seconds + 1];
        firstAttempts = new long[seconds + 1];
        attempts = new long[seconds + 1];
        successes = new long[seconds + 1];
        wasted = new long[seconds + 1];
    }

    void call(int second) {
        calls[second]++;
    }

    void attempt(int second, boolean first) {
        attempts[second]++;
        firstAttempts[second] += first ? 1 : 0;
    }

    void success(int second) {
        successes[second]++;
    }

    void wasted(int second) {
        wasted[second]++;
    }

    /** Duration of the simulation in seconds. */
    public int seconds() {
        return calls.length - 1;
    }

    /** Calls answered in time, per second, over [from, until). */
    public double goodput(int from, int until) {
        return (double) sum(successes, from, until) / (until - from);
    }

    /** Arrived calls per second, over [from, until). */
    public double load(int from, int until) {
        return (double) sum(calls, from, until) / (until - from);
    }

    /** Attempts per first attempt over [from, until); 1 without any first attempt. */
    public double amplification(int from, int until) {
        long first = sum(firstAttempts, from, until);
        return first == 0 ? 1 : (double) sum(attempts, from, until) / first;
    }

    /** The share of the server's finished work after the client's timeout, over [from, until). */
    public double wasted(int from, int until) {
        long late = sum(wasted, from, until);
        long done = late + sum(successes, from, until);
        return done == 0 ? 0 : (double) late / done;
    }

    /** The largest {@link #amplification} since the beginning, at the end of any second. */
    public double mostCumulativeAmplification() {
        double most = 1;
        for (int end = 1; end <= seconds(); end++) {
            most = Math.max(most, amplification(0, end));
        }
        return most;
    }

    /** The largest {@link #amplification} of any single second. */
    public double mostAmplification() {
        double most = 1;
        for (int second = 0; second < seconds(); second++) {
            most = Math.max(most, amplification(second, second + 1));
        }
        return most;
    }

    /** Seconds after {@code from} until goodput, as a mean of five seconds, has reached 95 % of the load for good. */
    public OptionalInt recovery(int from) {
        int recovered = seconds();
        while (recovered > from && isWell(recovered - 1)) {
            recovered--;
        }
        return recovered > seconds() - WINDOW ? OptionalInt.empty() : OptionalInt.of(recovered + 1 - from);
    }

    private boolean isWell(int second) {
        int from = Math.max(0, second - WINDOW + 1);
        return goodput(from, second + 1) >= RECOVERED * load(from, second + 1);
    }

    private static long sum(long[] perSecond, int from, int until) {
        long sum = 0;
        for (int second = from; second < until; second++) {
            sum += perSecond[second];
        }
        return sum;
    }
}
