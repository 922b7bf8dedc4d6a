package io.redrive.pipeline;

import io.redrive.events.activity.ActivityCounts;
import java.time.Duration;
import java.time.Instant;

/** The values of this process that {@link Alerts} compares with thresholds, counted by listening. Thread-safe. */
final class WatchedValues implements PipelineListener {

    private volatile Duration window;
    private volatile SlidingCounts<Counted> counts;
    private volatile boolean newLetter;
    private volatile int stuckHandlers;
    private volatile Duration unhandledAge = Duration.ZERO;

    private enum Counted {
        PUBLISHED,
        DUPLICATES,
        DONE,
        RETRIED,
        DEAD,
        BATCHES,
        TIMEOUTS
    }

    WatchedValues(Duration window) {
        this.window = window;
        counts = new SlidingCounts<>(Counted.class, window);
    }

    /** Counts over this window from now on. A window of another length begins without counts. For the coordinator alone. */
    void countOver(Duration wanted) {
        if (!wanted.equals(window)) {
            window = wanted;
            counts = new SlidingCounts<>(Counted.class, wanted);
        }
    }

    @Override
    public void onPublished(Published event) {
        counts.add(Counted.PUBLISHED, event.accepted(), event.at());
        if (event.duplicates() > 0) {
            counts.add(Counted.DUPLICATES, event.duplicates(), event.at());
        }
    }

    @Override
    public void onDone(Done event) {
        counts.add(Counted.DONE, 1, event.at());
    }

    @Override
    public void onRetry(Retrying event) {
        counts.add(Counted.RETRIED, 1, event.at());
    }

    @Override
    public void onDead(Dead event) {
        counts.add(Counted.DEAD, 1, event.at());
        newLetter = true;
    }

    @Override
    public void onBatch(Batched event) {
        if (event.outcome() != BatchOutcome.START) {
            counts.add(Counted.BATCHES, 1, event.at());
        }
        if (event.outcome() == BatchOutcome.TIMEOUT) {
            counts.add(Counted.TIMEOUTS, 1, event.at());
        }
    }

    @Override
    public void onWorkload(Workload event) {
        stuckHandlers = event.stuck();
    }

    /** Sets how long the oldest event without a handler has waited. */
    void unhandledFor(Duration waited) {
        unhandledAge = waited;
    }

    /** Returns the counts of the window that ends at {@code now}. */
    ActivityCounts counts(Instant now) {
        return new ActivityCounts(
                counts.sum(Counted.PUBLISHED, now),
                counts.sum(Counted.DUPLICATES, now),
                counts.sum(Counted.DONE, now),
                counts.sum(Counted.RETRIED, now),
                counts.sum(Counted.DEAD, now),
                counts.sum(Counted.BATCHES, now),
                counts.sum(Counted.TIMEOUTS, now));
    }

    int stuckHandlers() {
        return stuckHandlers;
    }

    Duration unhandledAge() {
        return unhandledAge;
    }

    /** Returns true when this process made a dead letter since the last call. */
    boolean takeNewLetter() {
        boolean taken = newLetter;
        newLetter = false;
        return taken;
    }
}
