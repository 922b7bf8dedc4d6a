package io.redrive.items.run;

import io.redrive.items.RunSettings;
import io.redrive.items.store.RunRecord;

/**
 * How many samples this process takes on, and how many samples it leaves to the other processes of the run. A single process
 * fills its window. One of several processes takes on only the samples that can begin soon, and leaves some samples unclaimed in
 * the store, so that later processes find work. Used by the coordinator only.
 */
final class Demand {

    private final RunSettings settings;
    private final Window window;
    private final Lanes lanes;
    private final boolean ordered;
    private boolean shared;
    private int unclaimed;

    Demand(RunSettings settings, Window window, Lanes lanes, boolean ordered) {
        this.settings = settings;
        this.window = window;
        this.lanes = lanes;
        this.ordered = ordered;
    }

    /** The run stands like this in the store. */
    void heard(RunRecord run) {
        shared = run.workers() > 1 && !ordered;
        unclaimed = run.unclaimed();
    }

    /** True when several processes divide the samples; the samples of an ordered run stay in one process. */
    boolean isShared() {
        return shared;
    }

    /** How many samples to take on. */
    int wanted() {
        return shared ? Math.min(window.room(), lanes.lacking()) : window.room();
    }

    /** How many samples to add to the unclaimed samples in the store. */
    int forOthers() {
        int goal = Math.min(settings.window(), RunRecord.MOST_UNCLAIMED) / 2;
        return shared ? Math.max(0, goal - unclaimed) : 0;
    }

    /** Counts parked samples as unclaimed ones, which they are after the next commit. */
    void left(int samples) {
        unclaimed += samples;
    }
}
