package io.redrive.pipeline;

import io.redrive.core.Time;
import java.time.Duration;

/**
 * Whether what this process has claimed is surely its own still. It is while leases are extended in time; a process that was
 * stalled for longer cannot know, and others may be handling its events. Extended by one thread, asked by others.
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

    /** How often it was lost up to now: what was claimed before a loss may belong to others. */
    int losses() {
        return losses;
    }

    /** False when what was claimed at so many losses may belong to others. */
    boolean holds(int lossesThen) {
        // In this order: an extension that came too late has counted the loss before it is seen.
        return time.nanos() - extended <= lease && losses == lossesThen;
    }

    /** Extends leases by {@code call}; when that comes too late, the hold was lost. */
    void extend(Runnable call) {
        long began = time.nanos();
        call.run();
        if (began - extended > lease) {
            losses++;
        }
        extended = began;
    }
}
