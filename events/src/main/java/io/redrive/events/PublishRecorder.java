package io.redrive.events;

import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityRecorder;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events that are published through one store object, for the store's implementation. The store knows of
 * every publish call, also in processes without a pipeline; therefore the store counts, and not the pipeline.
 *
 * <p>A minute is written by the first publish call or housekeeping after the minute is over, and when the store is
 * closed. A write that fails does not fail the publish call: the counts stay, and are written later. Thread-safe.
 */
public final class PublishRecorder {

    private static final Logger LOG = System.getLogger(PublishRecorder.class.getName());

    /** A log that failed is left alone for this long, so that an outage does not slow each publish call. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    private final ActivityLog log;
    /** Null before the first publish call: the secure random name would take a tenth of the time in which a store opens. */
    private volatile @Nullable ActivityRecorder recorder;

    private volatile Instant notBefore = Instant.MIN;
    private volatile boolean failed;

    /** Counts for {@code log}. */
    public PublishRecorder(ActivityLog log) {
        this.log = log;
    }

    /** Counts the results of a publish call, without writing. */
    public void count(List<Event> events, List<PublishResult> results, Instant now) {
        ActivityRecorder counts = recorder();
        for (int i = 0; i < results.size(); i++) {
            counts.published(events.get(i).name(), results.get(i).isDuplicate(), now);
        }
    }

    private ActivityRecorder recorder() {
        ActivityRecorder made = recorder;
        return made != null ? made : makeRecorder();
    }

    private synchronized ActivityRecorder makeRecorder() {
        ActivityRecorder made = recorder;
        if (made == null) {
            made = new ActivityRecorder("publisher-" + UUID.randomUUID());
            recorder = made;
        }
        return made;
    }

    /** Writes the minutes that are over, if there are any. Logs a failure. */
    public void writeIfDue(Instant now) {
        ActivityRecorder counts = recorder;
        if (counts == null) {
            return;
        }
        boolean waits = now.isBefore(notBefore) && notBefore.isBefore(now.plus(AFTER_FAILURE.multipliedBy(2)));
        if (!waits && counts.isDue(now)) {
            // The next time is set before the call: other threads do not wait for a log that fails.
            notBefore = now.plus(AFTER_FAILURE);
            guarded(() -> counts.write(log, now));
        }
    }

    /** Writes all counts, for a store that is being closed. Logs a failure. */
    public void close() {
        ActivityRecorder counts = recorder;
        if (counts != null) {
            guarded(() -> counts.writeAll(log));
        }
    }

    private void guarded(Runnable write) {
        try {
            write.run();
            failed = false;
        } catch (RuntimeException e) {
            if (!failed) {
                failed = true;
                LOG.log(
                        Level.WARNING,
                        "the counts of published events could not be written and are kept; they are written with a"
                                + " later publish call: {0}",
                        e.getMessage());
            }
        }
    }
}
