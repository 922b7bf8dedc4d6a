package io.redrive.pipeline;

import java.time.Duration;

/**
 * The size, number and waiting time of batches of a lane.
 *
 * @param handlers the number of batches that are handled at the same time, 1 to 1,000
 * @param size the most events of a batch, 1 to 1,000
 * @param timeout how long a batch may wait to fill up while more events are on their way; zero for not at all
 */
public record BatcherSettings(int handlers, int size, Duration timeout) {

    /** Refuses values out of range. */
    public BatcherSettings {
        Range.require("handlers", handlers, 1, 1_000);
        Range.require("batch size", size, 1, 1_000);
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("batch timeout must not be negative, got " + timeout);
        }
    }
}
