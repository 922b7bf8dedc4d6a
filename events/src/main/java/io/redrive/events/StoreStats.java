package io.redrive.events;

import java.time.Duration;

/**
 * How many events are where.
 *
 * @param ready due and waiting to be claimed
 * @param delayed not yet due: scheduled, or waiting out a backoff or a pause
 * @param claimed being handled
 * @param dead dead letters
 * @param oldestReady how long the oldest ready event has been due, zero when there is none
 * @param waiting what some of the ready and delayed events wait for
 */
public record StoreStats(long ready, long delayed, long claimed, long dead, Duration oldestReady, Waiting waiting) {

    /** With nothing known of what events wait for. */
    public StoreStats(long ready, long delayed, long claimed, long dead, Duration oldestReady) {
        this(ready, delayed, claimed, dead, oldestReady, Waiting.NONE);
    }

    /**
     * Events that wait for more than their due time. Each is counted among the ready or the delayed as well.
     *
     * @param behindKey behind an earlier event of their ordering key; ready or delayed by their own due time
     * @param setAside ready, of names that the claimers so far have no handler for
     * @param oldestSetAside how long the oldest of those has been due, zero when there is none
     * @param paused delayed because their name is paused
     * @param forToken delayed until their retry budget has a token
     */
    public record Waiting(long behindKey, long setAside, Duration oldestSetAside, long paused, long forToken) {

        /** No such events. */
        public static final Waiting NONE = new Waiting(0, 0, Duration.ZERO, 0, 0);
    }
}
