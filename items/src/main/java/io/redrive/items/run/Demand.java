package io.redrive.items.run;

import io.redrive.items.RunSettings;
import io.redrive.items.store.RunRecord;

/**
 * How many samples this process takes on, and how many it leaves to the other processes of the run. A process alone fills its
 * window. A process that shares the run takes on only what it can begin soon, and keeps some samples unclaimed in the store,
 * so that a process that comes later finds work. Used by the coordinator only.
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

    /** True when other processes work on the run too; an ordered run keeps its samples in one process. */
    boolean isShared() {
        return shared;
    }

    /** How many samples to take on. */
    int wanted() {
        return shared ? Math.min(window.room(), lanes.lacking()) : window.room();
    }

    /** How many samples to leave unclaimed in the store, besides those that are there. */
    int forOthers() {
        int goal = Math.min(settings.window(), RunRecord.MOST_UNCLAIMED) / 2;
        return shared ? Math.max(0, goal - unclaimed) : 0;
    }

    /** So many samples were parked for the other processes; the next commit stores them. */
    void left(int samples) {
        unclaimed += samples;
    }
}
