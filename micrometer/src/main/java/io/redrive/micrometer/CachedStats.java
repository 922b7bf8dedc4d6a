package io.redrive.micrometer;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.NamePause;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Asks the store at most once in {@link #KEPT}, however often the meters are read. */
final class CachedStats {

    static final Duration KEPT = Duration.ofSeconds(5);

    private static final Logger LOG = System.getLogger(CachedStats.class.getPackageName());

    private final EventStore store;
    private final Time time;
    /** The last answer of the store; null before the first answer and after a failure. */
    private @Nullable StoreStats stats;

    private boolean asked;
    private long askedAt;

    CachedStats(EventStore store, Time time) {
        this.store = store;
        this.time = time;
    }

    /** Returns a part of the statistics; not a number while the store fails, so that a dashboard shows a gap and not a zero. */
    synchronized double value(ToDoubleFunction<StoreStats> part) {
        if (!asked || time.nanos() - askedAt >= KEPT.toNanos()) {
            ask();
        }
        return stats == null ? Double.NaN : part.applyAsDouble(stats);
    }

    private void ask() {
        asked = true;
        askedAt = time.nanos();
        try {
            stats = NamePause.stats(store, time.now());
        } catch (RuntimeException e) {
            stats = null;
            LOG.log(Level.WARNING, "store has no statistics for metrics, which show a gap: " + e.getMessage(), e);
        }
    }
}
