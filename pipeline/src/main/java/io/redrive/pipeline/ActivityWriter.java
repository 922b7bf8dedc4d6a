package io.redrive.pipeline;

import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityRecorder;
import java.time.Duration;
import java.time.Instant;

/** Writes the activity of this node once a minute and at the stop, and removes activity past its retention. */
final class ActivityWriter implements Chore {

    /** A store that failed is asked again after this time; the counts wait in the recorder. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    /** The time between two parts of the first minute. */
    private static final Duration PART_EVERY = Duration.ofSeconds(5);

    private static final Duration EXPIRY_EVERY = Duration.ofMinutes(1);
    /** While expired rows are left. Each step removes few rows. */
    private static final Duration EXPIRY_AGAIN = Duration.ofSeconds(1);

    private final ActivityRecorder recorder;
    private final ActivityLog log;
    private Instant nextWrite = Instant.MIN;
    private Instant nextPart = Instant.MIN;
    private Instant nextExpiry = Instant.MIN;

    ActivityWriter(ActivityRecorder recorder, ActivityLog log) {
        this.recorder = recorder;
        this.log = log;
    }

    @Override
    public boolean work(Instant now) {
        if (recorder.isDue(now) && Chore.isDue(nextWrite, now, AFTER_FAILURE)) {
            // The next time is set before the call: a store that fails is not asked more often.
            nextWrite = now.plus(AFTER_FAILURE);
            recorder.write(log, now);
        } else if (nextPart.equals(Instant.MIN)) {
            nextPart = now.plus(PART_EVERY);
        } else if (Chore.isDue(nextPart, now, PART_EVERY)) {
            nextPart = now.plus(PART_EVERY);
            recorder.writeFirst(log);
        }
        if (Chore.isDue(nextExpiry, now, EXPIRY_EVERY)) {
            nextExpiry = now.plus(EXPIRY_EVERY);
            if (log.expire(now) > 0) {
                nextExpiry = now.plus(EXPIRY_AGAIN);
            }
        }
        return false;
    }

    @Override
    public void leave() {
        recorder.writeAll(log);
    }
}
