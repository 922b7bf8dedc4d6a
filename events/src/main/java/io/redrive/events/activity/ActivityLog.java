package io.redrive.events.activity;

import java.time.Instant;

/**
 * The activity of a store by minute, hour, name and node: each node writes its own counts once a minute, and any process
 * reads the sum. Thread-safe.
 *
 * <p>A call that throws may or may not have taken effect; every call may be repeated. Minutes are those of the clock of
 * the node that counted.
 */
public interface ActivityLog {

    /** The most names in a report or an answer; further names are added up as {@link NameActivity#OTHER}. */
    int MAX_NAMES = 1_000;

    /** The most rows of each period that one call of {@link #expire} removes. */
    int EXPIRED_AT_ONCE = 2_000;

    /**
     * Writes the activity of a minute and of its hour, in one transaction. Replaces what the same process wrote for the
     * same names of the same minute and hour.
     */
    void write(ActivityReport report);

    /** Returns the activity of all nodes. */
    Activity read(ActivityQuery query);

    /** Returns the counts of {@link #read}, all names and the whole time together, without reading durations. */
    default ActivityCounts counts(ActivityQuery query) {
        return read(query).total().counts();
    }

    /**
     * Does one small step of housekeeping: removes periods older than {@link ActivityPeriod#kept}.
     *
     * @return the number of removed rows; zero when none is left
     */
    int expire(Instant now);
}
