package io.redrive.pipeline;

import io.redrive.events.DeadLetters;
import io.redrive.events.activity.ActivityCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Raises an alert when a value of a pipeline crosses its {@linkplain AlertThresholds threshold}; listeners hear of it by
 * {@link PipelineListener#onAlert} when the alert is raised and when it is cleared. Rates are those of this process; the
 * number of dead letters is that of the whole store. Thread-safe.
 *
 * <p>An alert stays raised for at least {@link #HOLD}, so that a rate around its threshold does not ring all the time. An
 * alert is cleared when its value is back at the threshold, or when there are too few samples to judge by.
 */
public final class Alerts {

    /** How long an alert stays raised at least. */
    public static final Duration HOLD = Duration.ofMinutes(1);

    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
    /** Dead letters of other processes are counted this late; those of this process in the next check. */
    private static final Duration COUNT_EVERY = Duration.ofSeconds(10);

    private final DeadLetters letters;
    private final ThresholdsInForce thresholds;
    private final WatchedValues watched;
    private final Consumer<PipelineListener.Alert> announce;
    private final List<State> states = new ArrayList<>();
    private LetterTally tally = LetterTally.NONE;
    private Instant nextCheck = Instant.MIN;
    private Instant nextCount = Instant.MIN;

    /** The values that are watched. */
    public enum Kind {
        /** Retries, as a share of all attempts that ended (done, to be retried, dead). */
        RETRY_RATE("retry_rate"),
        /** Dead letters in the store, without the letters of ignored causes. */
        DEAD_LETTERS("dead_letters"),
        /** Batches that ran into the time limit, as a share of all batches that ended. */
        BATCH_TIMEOUT_RATE("batch_timeout_rate"),
        /** Duplicates, as a share of all events that were published through this pipeline. */
        DEDUP_RATE("dedup_rate"),
        /** Handlers of this process that run on after their time limit; a single one raises the alert. */
        STUCK_HANDLERS("stuck_handlers"),
        /** Seconds since the oldest event became due for which no live node has a handler. */
        UNHANDLED_AGE("unhandled_age"),
        /** Causes that came back after an operator called them resolved; a single one raises the alert. */
        REGRESSED_CAUSES("regressed_causes");

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
     * The state of one watched value.
     *
     * @param kind the value that is watched
     * @param raised whether its alert is raised
     * @param value the value at the last check; zero when there are too few samples
     * @param threshold the largest value without an alert
     * @param since when the alert was raised or cleared last; when the pipeline was built, before the first alert
     */
    public record State(Kind kind, boolean raised, double value, double threshold, Instant since) {}

    /** @param announce takes each alert that is raised or cleared */
    Alerts(
            DeadLetters letters,
            ThresholdsInForce thresholds,
            WatchedValues watched,
            Consumer<PipelineListener.Alert> announce,
            Instant now) {
        this.letters = letters;
        this.thresholds = thresholds;
        this.watched = watched;
        this.announce = announce;
        for (Kind kind : Kind.values()) {
            states.add(new State(kind, false, 0, AlertRule.threshold(kind, thresholds.get()), now));
        }
    }

    /** Returns the state of each watched value at the last check. */
    public List<State> current() {
        synchronized (states) {
            return List.copyOf(states);
        }
    }

    /** Compares values with thresholds once a second. Returns false: no event becomes ready. For the coordinator alone. */
    boolean check(Instant now) {
        if (!Chore.isDue(nextCheck, now, CHECK_EVERY)) {
            return false;
        }
        nextCheck = now.plus(CHECK_EVERY);
        if (watched.takeNewLetter() || Chore.isDue(nextCount, now, COUNT_EVERY)) {
            // The next time is set before the call: a store that fails is not asked more often.
            nextCount = now.plus(COUNT_EVERY);
            tally = LetterTally.of(letters, now);
        }
        AlertThresholds inForce = thresholds.get();
        watched.countOver(inForce.window());
        ActivityCounts counts = watched.counts(now);
        for (Kind kind : Kind.values()) {
            update(kind, valueOf(kind, counts, inForce), AlertRule.threshold(kind, inForce), now);
        }
        return false;
    }

    private void update(Kind kind, double value, double threshold, Instant now) {
        State after;
        boolean changed;
        synchronized (states) {
            State before = states.get(kind.ordinal());
            boolean above = AlertRule.isAbove(value, threshold);
            boolean held =
                    before.raised() && Duration.between(before.since(), now).compareTo(HOLD) < 0;
            changed = before.raised() ? !above && !held : above;
            after = new State(kind, before.raised() != changed, value, threshold, changed ? now : before.since());
            states.set(kind.ordinal(), after);
        }
        if (changed) {
            announce.accept(new PipelineListener.Alert(kind.code(), after.raised(), value, after.threshold(), now));
        }
    }

    private double valueOf(Kind kind, ActivityCounts counts, AlertThresholds inForce) {
        return switch (kind) {
            case STUCK_HANDLERS -> watched.stuckHandlers();
            case UNHANDLED_AGE -> watched.unhandledAge().toSeconds();
            case RETRY_RATE, DEAD_LETTERS, BATCH_TIMEOUT_RATE, DEDUP_RATE, REGRESSED_CAUSES ->
                AlertRule.value(kind, counts, tally, inForce);
        };
    }
}
