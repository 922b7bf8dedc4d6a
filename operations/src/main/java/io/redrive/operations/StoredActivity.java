package io.redrive.operations;

import io.redrive.events.EventStore;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.StoreAlert;
import java.time.Duration;
import java.util.List;

/** {@link ActivityOperations} on a store. */
final class StoredActivity implements ActivityOperations {

    private final Desk desk;

    StoredActivity(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Activity read(ActivityQuery query) {
        return desk.read().activity().read(query);
    }

    @Override
    public List<StoreAlert> alerts() {
        AlertThresholds thresholds = desk.thresholds().get();
        EventStore store = desk.read();
        Duration least = ActivityPeriod.MINUTE.length();
        Duration window = thresholds.window().compareTo(least) < 0 ? least : thresholds.window();
        ActivityCounts recent = store.activity().counts(ActivityQuery.last(window, desk.now()));
        return StoreAlert.of(recent, store.deadLetters(), thresholds, desk.now());
    }
}
