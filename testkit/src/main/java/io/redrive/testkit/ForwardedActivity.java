package io.redrive.testkit;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import java.time.Instant;

/** Passes each call on to the activity of a store. */
record ForwardedActivity(ActivityLog target, ForwardedCall through) implements ActivityLog {

    @Override
    public void write(ActivityReport report) {
        through.forward("write activity", () -> {
            target.write(report);
            return true;
        });
    }

    @Override
    public Activity read(ActivityQuery query) {
        return through.forward("read activity", () -> target.read(query));
    }

    @Override
    public ActivityCounts counts(ActivityQuery query) {
        return through.forward("read activity", () -> target.counts(query));
    }

    @Override
    public int expire(Instant now) {
        return through.forward("expire activity", () -> target.expire(now));
    }
}
