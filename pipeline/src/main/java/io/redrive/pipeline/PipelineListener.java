package io.redrive.pipeline;

import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Hears what happens in a pipeline; override what matters. Called on the pipeline's own threads: be quick. What a listener
 * throws is logged and changes nothing.
 */
public interface PipelineListener {

    /** The pipeline was started. */
    default void onStarted(Started event) {}

    /** Events were published through this pipeline. */
    default void onPublished(Published event) {}

    /** An event was handled. */
    default void onDone(Done event) {}

    /** An event failed and will be tried again. */
    default void onRetry(Retrying event) {}

    /** An event became a dead letter. */
    default void onDead(Dead event) {}

    /** A batch began or ended. */
    default void onBatch(Batched event) {}

    /** A handler ignores the interrupt of its time limit; told once, and then each minute until it returns. */
    default void onStuck(Stuck event) {}

    /** How busy the handlers of this node are; told about once a second. */
    default void onWorkload(Workload event) {}

    /** Events whose leases ran out, most often because a process crashed, are ready again. */
    default void onRecovered(Recovered event) {}

    /** A settlement came too late: somebody else has the event by now. */
    default void onStale(Stale event) {}

    /** Handling of a name is paused, or goes on. */
    default void onPaused(Paused event) {}

    /** A threshold was crossed, one way or the other. */
    default void onAlert(Alert event) {}

    /** The store failed; the pipeline keeps trying. */
    default void onStoreTrouble(StoreTrouble event) {}

    /**
     * The pipeline's thread is busy with one step for too long, because a listener or the store does not return. Told on a
     * thread of its own, once and then every minute.
     */
    default void onLoopStuck(LoopStuck event) {}

    /** Something looks like a mistake; said once. */
    default void onLint(Lint event) {}

    /** How many ids an event of this interface lists at most. */
    int MAX_IDS = 100;

    /**
     * What a pipeline starts with.
     *
     * @param service the name of the service
     * @param node the name of the node
     * @param store which store, without its password
     * @param handlers the patterns of handlers, most specific first; those of batches end with {@code (batches)}
     * @param policies the policies in force by pattern, most specific first
     * @param at when
     */
    record Started(
            String service,
            String node,
            String store,
            List<String> handlers,
            Map<String, String> policies,
            Instant at) {}

    /**
     * How many events of a publish call were accepted and how many were duplicates.
     *
     * @param duplicateIds the ids of the first {@link #MAX_IDS} duplicates
     */
    record Published(int accepted, int duplicates, List<String> duplicateIds, Instant at) {}

    /** A success at attempt {@code attempts}, {@code latency} after the event was due. */
    record Done(Event event, int attempts, Duration latency, Instant at) {}

    /** A retry of {@code event} after failed attempt {@code attempt}. */
    record Retrying(Event event, int attempt, Duration delay, String errorType, String message, Instant at) {}

    /** A dead letter. */
    record Dead(
            Event event,
            Reason reason,
            int attempts,
            String errorType,
            String message,
            String fingerprint,
            Instant at) {}

    /**
     * How a batch went: events of one handler and source that were handed over together.
     *
     * @param lane its lane
     * @param outcome how it ended, or that it began
     * @param size how many events it has
     * @param duration from the begin of the first event to the end of the last; zero at its start
     * @param failedIds the ids of the first {@link #MAX_IDS} events that failed
     * @param errorType the type of the first failure that made the outcome, empty when none failed
     * @param message what that failure said, empty when none failed
     * @param at when
     */
    record Batched(
            Lane lane,
            BatchOutcome outcome,
            int size,
            Duration duration,
            List<String> failedIds,
            String errorType,
            String message,
            Instant at) {

        /** True for a batch of urgent events in which at least one failed. */
        public boolean isFailedCritical() {
            return lane == Lane.CRITICAL && (outcome == BatchOutcome.ERROR || outcome == BatchOutcome.TIMEOUT);
        }
    }

    /** The end of a batch, or its start. */
    enum BatchOutcome {
        /** Handling began. */
        START,
        /** All its events are done. */
        STOP,
        /** At least one of its events failed. */
        ERROR,
        /** At least one of its events ran into the time limit. */
        TIMEOUT
    }

    /**
     * A handler that runs on after its time limit.
     *
     * @param events the event, or the first {@link #MAX_IDS} of the batch, that it was given
     * @param lane their lane
     * @param running how long it has been running
     * @param thread the name of its thread
     * @param stack where it is
     * @param at when
     */
    record Stuck(
            List<Event> events,
            Lane lane,
            Duration running,
            String thread,
            List<StackTraceElement> stack,
            Instant at) {}

    /**
     * How busy this node is.
     *
     * @param busy handlers at work
     * @param stuck those of them that run on after their time limit
     * @param oldestClaimed how long the event that was claimed first, and is not settled, has been claimed
     * @param at when
     */
    record Workload(int busy, int stuck, Duration oldestClaimed, Instant at) {}

    /** So many events were taken over. */
    record Recovered(int events, Instant at) {}

    /** The event whose settlement was stale. */
    record Stale(Event event, Instant at) {}

    /** Handling of {@code name} is paused until {@code until}; null when it goes on. */
    record Paused(String name, Instant until, Instant at) {}

    /** The alert {@code name} is raised or cleared; {@code value} crossed {@code threshold}. */
    record Alert(String name, boolean raised, double value, double threshold, Instant at) {}

    /**
     * A step that does not end.
     *
     * @param since how long it takes up to now
     * @param thread the name of the thread
     * @param stack where the thread is, one frame in a line
     * @param holdsLeases false once the leases of the claimed events are no longer extended
     * @param at when it was noticed
     */
    record LoopStuck(Duration since, String thread, String stack, boolean holdsLeases, Instant at) {}

    /** What the store threw. */
    record StoreTrouble(RuntimeException error, Instant at) {}

    /** What looks wrong. */
    record Lint(String warning, Instant at) {}
}
