package io.redrive.jdbc;

import io.redrive.core.Time;
import java.util.concurrent.TimeUnit;

/**
 * Limits scans of an index that deleted rows may have made slow (see {@link PostgresLowWater}) to a twentieth of the
 * time: a scan that took 50 ms is repeated after one second at the earliest. Thread-safe.
 */
final class PostgresScanBudget {

    private static final int SHARE = 20;
    private static final long CHEAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Time time;
    private volatile long lastEnd;
    private volatile long lastCost;

    PostgresScanBudget(Time time) {
        this.time = time;
        lastEnd = time.nanos();
    }

    /** The time at which a scan begins, for {@link #spend}. */
    long now() {
        return time.nanos();
    }

    /** True when the last scan took so little time that the limit need not be asked. */
    boolean isCheap() {
        return lastCost < CHEAP_NANOS;
    }

    /** True when the last scan is long enough ago, measured by its cost. */
    boolean allows() {
        return time.nanos() - lastEnd >= SHARE * lastCost;
    }

    /** Notes the end of a scan. */
    void spend(long began) {
        lastEnd = time.nanos();
        lastCost = lastEnd - began;
    }
}
