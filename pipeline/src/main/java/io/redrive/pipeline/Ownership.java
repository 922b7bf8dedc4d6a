package io.redrive.pipeline;

import io.redrive.core.Time;
import java.time.Duration;

/**
 * Knows whether this process still owns its claims. It does while leases are extended in time. After a longer stall the
 * leases may have run out, and other nodes may handle the events. The lease thread extends; workers and the coordinator
 * ask. Thread-safe for one extending thread.
 */
final class Ownership {

    private final Time time;
    private final long lease;
    private volatile int losses;
    private volatile long extended;

    Ownership(Time time, Duration lease) {
        this.time = time;
        this.lease = lease.toNanos();
        extended = time.nanos();
    }

    /** Returns how often ownership was lost. Claims from before a loss may belong to other nodes. */
    int losses() {
        return losses;
    }

    /**
     * Returns false when claims made at {@code lossesThen} may belong to other nodes.
     *
     * @param nanos the present time by the monotonic clock
     */
    boolean holds(int lossesThen, long nanos) {
        // In this order: a late extension has counted the loss before its time is visible.
        return nanos - extended <= lease && losses == lossesThen;
    }

    /** Extends leases by {@code call}, and counts a loss when the extension comes too late. */
    void extend(Runnable call) {
        long began = time.nanos();
        call.run();
        if (began - extended > lease) {
            losses++;
        }
        extended = began;
    }
}
