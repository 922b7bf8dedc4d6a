package io.redrive.pipeline;

import java.time.Duration;
import java.time.Instant;

/**
 * The values that {@link Alerts} compares with thresholds, counted by listening. A rate of fewer samples than the thresholds
 * ask for is zero. Thread-safe.
 */
final class WatchedValues implements PipelineListener {

    private final int minSamples;
    private final SlidingCounts<Counted> counts;
    private volatile boolean newLetter;
    private volatile int stuckHandlers;
    private volatile Duration unhandledAge = Duration.ZERO;

    private enum Counted {
        RETRIES,
        ENDED,
        BATCHES,
        TIMEOUTS,
        PUBLISHED,
        DUPLICATES
    }

    WatchedValues(AlertThresholds thresholds) {
        minSamples = thresholds.minSamples();
        counts = new SlidingCounts<>(Counted.class, thresholds.window());
    }

    @Override
    public void onPublished(Published event) {
        counts.add(Counted.PUBLISHED, event.accepted() + event.duplicates(), event.at());
        if (event.duplicates() > 0) {
            counts.add(Counted.DUPLICATES, event.duplicates(), event.at());
        }
    }

    @Override
    public void onDone(Done event) {
        counts.add(Counted.ENDED, 1, event.at());
    }

    @Override
    public void onRetry(Retrying event) {
        counts.add(Counted.RETRIES, 1, event.at());
    }

    @Override
    public void onDead(Dead event) {
        counts.add(Counted.ENDED, 1, event.at());
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

    /** Returns retries as a share of all attempts that ended. */
    double retryRate(Instant now) {
        long retries = counts.sum(Counted.RETRIES, now);
        return share(retries, retries + counts.sum(Counted.ENDED, now));
    }

    /** Returns batches that ran into the time limit as a share of all batches that ended. */
    double timeoutRate(Instant now) {
        return share(counts.sum(Counted.TIMEOUTS, now), counts.sum(Counted.BATCHES, now));
    }

    /** Returns duplicates as a share of all published events. */
    double dedupRate(Instant now) {
        return share(counts.sum(Counted.DUPLICATES, now), counts.sum(Counted.PUBLISHED, now));
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

    private double share(long part, long whole) {
        return whole < minSamples ? 0 : (double) part / whole;
    }
}
