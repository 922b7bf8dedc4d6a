package io.redrive.events.activity;

/** Counts and durations that grow. Not thread-safe. */
final class ActivitySum {

    private long published;
    private long duplicates;
    private long done;
    private long retried;
    private long dead;
    private long batches;
    private long batchTimeouts;
    final DurationHistogram.Builder handlerTime = new DurationHistogram.Builder();
    final DurationHistogram.Builder latency = new DurationHistogram.Builder();

    void published(boolean duplicate) {
        if (duplicate) {
            duplicates++;
        } else {
            published++;
        }
    }

    void done() {
        done++;
    }

    void retried() {
        retried++;
    }

    void dead() {
        dead++;
    }

    void batch(boolean timedOut) {
        batches++;
        batchTimeouts += timedOut ? 1 : 0;
    }

    void add(ActivityTotals totals) {
        ActivityCounts counts = totals.counts();
        published = Saturated.sum(published, counts.published());
        duplicates = Saturated.sum(duplicates, counts.duplicates());
        done = Saturated.sum(done, counts.done());
        retried = Saturated.sum(retried, counts.retried());
        dead = Saturated.sum(dead, counts.dead());
        batches = Saturated.sum(batches, counts.batches());
        batchTimeouts = Saturated.sum(batchTimeouts, counts.batchTimeouts());
        handlerTime.add(totals.handlerTime());
        latency.add(totals.latency());
    }

    ActivityTotals build() {
        return new ActivityTotals(
                new ActivityCounts(published, duplicates, done, retried, dead, batches, batchTimeouts),
                handlerTime.build(),
                latency.build());
    }
}
