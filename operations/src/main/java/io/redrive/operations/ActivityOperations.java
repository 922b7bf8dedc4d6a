package io.redrive.operations;

import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.StoreAlert;
import java.util.List;

/** What an operator may know about the activity of a store, whichever nodes it happened on. Thread-safe. */
public interface ActivityOperations {

    /**
     * Returns counts, rates and percentiles of all nodes. A node writes its counts once a minute: the present minute is
     * missing.
     */
    Activity read(ActivityQuery query);

    /**
     * Compares the activity of all nodes within the window of the thresholds, in whole minutes, and the number of dead
     * letters and regressed causes with the thresholds in force: {@link AlertThresholds#STANDARD}, unless {@link
     * StoredOperations#withAlerts} gave others.
     */
    List<StoreAlert> alerts();
}
