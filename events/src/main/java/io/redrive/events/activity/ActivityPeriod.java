package io.redrive.events.activity;

import java.time.Duration;
import java.time.Instant;

/** The stretches of time by which a store keeps activity. Stores keep the ordinal: new periods go to the end. */
public enum ActivityPeriod {
    /** By the minute, for 48 hours. */
    MINUTE(Duration.ofMinutes(1), Duration.ofHours(48)),
    /** By the hour, for 60 days. */
    HOUR(Duration.ofHours(1), Duration.ofDays(60));

    private final Duration length;
    private final Duration kept;

    ActivityPeriod(Duration length, Duration kept) {
        this.length = length;
        this.kept = kept;
    }

    /** Returns the length of one period. */
    public Duration length() {
        return length;
    }

    /** Returns how long a store keeps periods of this length. */
    public Duration kept() {
        return kept;
    }

    /** Returns the beginning of the period that contains {@code time}; periods are whole in UTC. */
    public Instant startOf(Instant time) {
        long seconds = length.toSeconds();
        return Instant.ofEpochSecond(Math.floorDiv(time.getEpochSecond(), seconds) * seconds);
    }
}
