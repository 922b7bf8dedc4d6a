package io.redrive.pipeline;

import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Watches a pipeline and raises an alert when it crosses one of the {@link AlertThresholds}; told to the listeners as
 * {@link PipelineListener#onAlert} when it is raised and when it is cleared. Rates are those of this process; the number
 * of dead letters is that of the whole store. Thread-safe.
 *
 * <p>An alert stays raised for at least {@link #HOLD}, so that a rate around its threshold does not ring all the time. It
 * is cleared when its value is back at the threshold, or when there is too little to judge by.
 */
public final class Alerts implements PipelineListener {

    /** How long an alert stays raised at least. */
    public static final Duration HOLD = Duration.ofMinutes(1);

    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
    /** Letters of other processes are noticed this late; our own in the next check. */
    private static final Duration COUNT_EVERY = Duration.ofSeconds(10);

    private final DeadLetters letters;
    private final AlertThresholds thresholds;
    private final Listeners listeners;
    private final SlidingCounts<Counted> counts;
    private final List<State> states = new ArrayList<>();
    private volatile boolean letterSinceCount;
    private volatile int stuckHandlers;
    private long letterCount;
    private Duration unhandled = Duration.ZERO;
    private Instant nextCheck = Instant.MIN;
    private Instant nextCount = Instant.MIN;

    /** What is watched. */
    public enum Kind {
        /** Retries, as a share of all attempts that ended (done, to be retried, dead). */
        RETRY_RATE("retry_rate"),
        /** Dead letters in the store. */
        DEAD_LETTERS("dead_letters"),
        /** Batches that ran into the time limit, as a share of all batches that ended. */
        BATCH_TIMEOUT_RATE("batch_timeout_rate"),
        /** Duplicates, as a share of all that was published through this pipeline. */
        DEDUP_RATE("dedup_rate"),
        /** Handlers of this process that run on after their time limit; one is enough. */
        STUCK_HANDLERS("stuck_handlers"),
        /** Seconds since the oldest event became due for which no live node has a handler. */
        UNHANDLED_AGE("unhandled_age");

        private final String code;

        Kind(String code) {
            this.code = code;
        }

        /** The spelling used in {@link PipelineListener.Alert#name()}, logs and metrics. */
        public String code() {
            return code;
        }
    }

    /**
     * How one of the watched values stands.
     *
     * @param kind which
     * @param raised whether it is alerted
     * @param value as of the last check; zero when there are too few samples
     * @param threshold what it may not exceed
     * @param since when it was raised or cleared last
     */
    public record State(Kind kind, boolean raised, double value, double threshold, Instant since) {}

    private enum Counted {
        RETRIES,
        ENDED,
        BATCHES,
        TIMEOUTS,
        PUBLISHED,
        DUPLICATES
    }

    Alerts(DeadLetters letters, AlertThresholds thresholds, Listeners listeners, Instant now) {
        this.letters = letters;
        this.thresholds = thresholds;
        this.listeners = listeners;
        counts = new SlidingCounts<>(Counted.class, thresholds.window());
        for (Kind kind : Kind.values()) {
            states.add(new State(kind, false, 0, thresholdOf(kind), now));
        }
    }

    /** How each of the watched values stood at the last check. */
    public List<State> current() {
        synchronized (states) {
            return List.copyOf(states);
        }
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
        letterSinceCount = true;
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

    /** Compares, if a second has passed since the last time; never makes events ready. For the coordinator alone. */
    boolean check(Instant now) {
        if (!Chore.isDue(nextCheck, now, CHECK_EVERY)) {
            return false;
        }
        nextCheck = now.plus(CHECK_EVERY);
        if (letterSinceCount || Chore.isDue(nextCount, now, COUNT_EVERY)) {
            // The next time is set before the store is asked: a store in trouble is not asked more often for it.
            letterSinceCount = false;
            nextCount = now.plus(COUNT_EVERY);
            letterCount = letters.count(LetterFilter.ALL);
        }
        for (Kind kind : Kind.values()) {
            update(kind, valueOf(kind, now), now);
        }
        return false;
    }

    /** Notes for how long the oldest event without a handler has waited. For the coordinator alone. */
    void unhandledFor(Duration waited) {
        unhandled = waited;
    }

    private void update(Kind kind, double value, Instant now) {
        State after;
        boolean changed;
        synchronized (states) {
            State before = states.get(kind.ordinal());
            boolean above = value > before.threshold();
            boolean held =
                    before.raised() && Duration.between(before.since(), now).compareTo(HOLD) < 0;
            changed = before.raised() ? !above && !held : above;
            after = new State(
                    kind, before.raised() != changed, value, before.threshold(), changed ? now : before.since());
            states.set(kind.ordinal(), after);
        }
        if (changed) {
            Alert alert = new Alert(kind.code(), after.raised(), value, after.threshold(), now);
            listeners.tell(listener -> listener.onAlert(alert));
        }
    }

    private double valueOf(Kind kind, Instant now) {
        return switch (kind) {
            case RETRY_RATE -> {
                long retries = counts.sum(Counted.RETRIES, now);
                yield share(retries, retries + counts.sum(Counted.ENDED, now));
            }
            case DEAD_LETTERS -> letterCount;
            case BATCH_TIMEOUT_RATE -> share(counts.sum(Counted.TIMEOUTS, now), counts.sum(Counted.BATCHES, now));
            case DEDUP_RATE -> share(counts.sum(Counted.DUPLICATES, now), counts.sum(Counted.PUBLISHED, now));
            case STUCK_HANDLERS -> stuckHandlers;
            case UNHANDLED_AGE -> unhandled.toSeconds();
        };
    }

    private double thresholdOf(Kind kind) {
        return switch (kind) {
            case RETRY_RATE -> thresholds.retryRate();
            case DEAD_LETTERS -> thresholds.deadLetters();
            case BATCH_TIMEOUT_RATE -> thresholds.timeoutRate();
            case DEDUP_RATE -> thresholds.dedupRate();
            case STUCK_HANDLERS -> 0;
            case UNHANDLED_AGE -> thresholds.unhandledAge().toSeconds();
        };
    }

    private double share(long part, long whole) {
        return whole < thresholds.minSamples() ? 0 : (double) part / whole;
    }
}
