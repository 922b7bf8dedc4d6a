package io.redrive.operations;

import io.redrive.events.EventStore;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.StoreAlert;
import java.time.Duration;
import java.util.List;

/** What an operator may know about the activity of a store, whichever nodes it happened on. Thread-safe. */
public final class ActivityOperations {

    private final Desk desk;

    ActivityOperations(Desk desk) {
        this.desk = desk;
    }

    /**
     * Returns counts, rates and percentiles of all nodes. A node writes its counts once a minute: the present minute is
     * missing.
     */
    public Activity read(ActivityQuery query) {
        return desk.read().activity().read(query);
    }

    /**
     * Compares the activity of all nodes within the window of the thresholds, in whole minutes, and the number of dead
     * letters and regressed causes with thresholds.
     *
     * @param thresholds for example {@link AlertThresholds#STANDARD}
     */
    public List<StoreAlert> alerts(AlertThresholds thresholds) {
        EventStore store = desk.read();
        Duration least = ActivityPeriod.MINUTE.length();
        Duration window = thresholds.window().compareTo(least) < 0 ? least : thresholds.window();
        Activity recent = store.activity().read(ActivityQuery.last(window, desk.now()));
        return StoreAlert.of(recent.total().counts(), store.deadLetters(), thresholds, desk.now());
    }
}
