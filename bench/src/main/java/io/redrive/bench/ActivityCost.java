package io.redrive.bench;

import io.redrive.events.EventStore;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** The time in which one node writes a minute of activity with as many names as a store keeps. */
final class ActivityCost {

    private static final int WARM_UP = 5;
    /** Of different lengths, so that histograms have several buckets. */
    private static final int DURATIONS_PER_NAME = 20;

    private ActivityCost() {}

    /** Returns the median of the milliseconds for a minute. The first minutes are not measured. */
    static double millisPerMinute(EventStore store, int minutes) {
        ActivityRecorder recorder = new ActivityRecorder("bench");
        // The hour is written with the minute, and has counts of earlier minutes.
        Instant begin = Instant.parse("2030-01-01T00:00:00Z");
        double[] millis = new double[minutes];
        for (int minute = -WARM_UP; minute < minutes; minute++) {
            Instant at = begin.plus(Duration.ofMinutes(WARM_UP + minute));
            count(recorder, at);
            long start = System.nanoTime();
            recorder.write(store.activity(), at.plusSeconds(60));
            if (minute >= 0) {
                millis[minute] = (System.nanoTime() - start) / 1e6;
            }
        }
        Arrays.sort(millis);
        return millis[minutes / 2];
    }

    private static void count(ActivityRecorder recorder, Instant at) {
        for (int name = 0; name < ActivityLog.MAX_NAMES; name++) {
            String event = "service-" + name % 10 + ".event-" + name;
            for (int i = 1; i <= DURATIONS_PER_NAME; i++) {
                recorder.published(event, false, at);
                recorder.handled(event, Duration.ofMillis((long) i * i), at);
                recorder.done(event, Duration.ofMillis(3L * i * i), at);
                recorder.batch(event, false, at);
            }
        }
    }
}
