package io.redrive.pipeline;

import java.time.Duration;

/**
 * How events of a lane are put together.
 *
 * @param handlers how many batches are handled at the same time
 * @param size how many events a batch has at most
 * @param timeout how long a batch may wait to fill up while more events are on their way
 */
public record BatcherSettings(int handlers, int size, Duration timeout) {

    /** Refuses settings that let nothing through. */
    public BatcherSettings {
        Profile.require("handlers", handlers, 1, 1_000);
        Profile.require("batch size", size, 1, 1_000);
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("batch timeout must not be negative, got " + timeout);
        }
    }
}
