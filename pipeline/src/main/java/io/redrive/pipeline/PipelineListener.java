package io.redrive.pipeline;

import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.PublishResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Is told what happens in a pipeline; override the methods you need. Methods run on the pipeline's threads: return
 * quickly. An exception of a listener is logged and has no other effect.
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

    /**
     * A handler ignores the interrupt of its time limit. Called once, and then each minute until the handler returns.
     */
    default void onStuck(Stuck event) {}

    /** The load of this node's handlers. Called about once a second. */
    default void onWorkload(Workload event) {}

    /** The adaptive limit of a handler has changed; told at most once a second. */
    default void onLimit(Limited event) {}

    /** Events whose leases ran out, most often because a process crashed, are ready again. */
    default void onRecovered(Recovered event) {}

    /** A settlement came too late and had no effect: the lease had run out, and the event is ready or claimed again. */
    default void onStale(Stale event) {}

    /** Handling of a name was paused or resumed. */
    default void onPaused(Paused event) {}

    /** An alert was raised or cleared. */
    default void onAlert(Alert event) {}

    /** The store failed; the pipeline keeps trying. */
    default void onStoreTrouble(StoreTrouble event) {}

    /**
     * A step of the pipeline's thread takes too long, because a listener or the store does not return. Called on a
     * separate thread, once and then every minute.
     */
    default void onLoopStuck(LoopStuck event) {}

    /** A setting or an event looks like a mistake. Called once for each such finding. */
    default void onLint(Lint event) {}

    /** The most ids that a record of this interface lists. */
    int MAX_IDS = 100;

    /**
     * The settings of a started pipeline.
     *
     * @param service the name of the service
     * @param node the name of the node
     * @param store a description of the store, without its password
     * @param handlers the patterns of handlers, most specific first; those of batches end with {@code (batches)}
     * @param policies the policies in force by pattern, most specific first
     * @param at when the pipeline started
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
    record Published(int accepted, int duplicates, List<String> duplicateIds, Instant at) {

        /** Counts the results of a publish call. */
        static Published of(List<Event> events, List<PublishResult> results, Instant at) {
            List<String> duplicates = IntStream.range(0, results.size())
                    .filter(i -> results.get(i).isDuplicate())
                    .mapToObj(i -> events.get(i).id())
                    .toList();
            return new Published(
                    results.size() - duplicates.size(),
                    duplicates.size(),
                    duplicates.stream().limit(MAX_IDS).toList(),
                    at);
        }
    }

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
     * The begin or the end of a batch: events of one handler and source that were handed over together.
     *
     * @param lane the lane of the events
     * @param outcome how the batch ended, or that it began
     * @param size the number of events
     * @param duration from the begin of the first event to the end of the last; zero at the begin
     * @param failedIds the ids of the first {@link #MAX_IDS} events that failed
     * @param errorType the type of the first failure with that outcome, empty when no event failed
     * @param message the message of that failure, empty when no event failed
     * @param at when the batch began or ended
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

        /** Returns true for a batch of the critical lane in which at least one event failed. */
        public boolean isFailedCritical() {
            return lane == Lane.CRITICAL && (outcome == BatchOutcome.ERROR || outcome == BatchOutcome.TIMEOUT);
        }
    }

    /** The end of a batch, or its start. */
    enum BatchOutcome {
        /** Handling began. */
        START,
        /** All events are done. */
        STOP,
        /** At least one event failed. */
        ERROR,
        /** At least one event ran into the time limit. */
        TIMEOUT
    }

    /**
     * A handler that runs on after its time limit.
     *
     * @param events the event of the handler, or the first {@link #MAX_IDS} events of its batch
     * @param lane the lane of the events
     * @param running how long the handler has been running
     * @param thread the name of the handler's thread
     * @param stack the stack of that thread
     * @param at when the handler was checked
     */
    record Stuck(
            List<Event> events,
            Lane lane,
            Duration running,
            String thread,
            List<StackTraceElement> stack,
            Instant at) {}

    /**
     * The load of this node.
     *
     * @param busy the number of running handlers
     * @param stuck the number of handlers that run on after their time limit
     * @param oldestClaimed the age of the oldest unsettled claim
     * @param at when the load was measured
     */
    record Workload(int busy, int stuck, Duration oldestClaimed, Instant at) {}

    /**
     * An adaptive limit on this node.
     *
     * @param pattern the pattern of the handler
     * @param limit how many calls of the handler may run at once
     * @param at when the change was noticed
     */
    record Limited(String pattern, int limit, Instant at) {}

    /** The number of events that are ready again. */
    record Recovered(int events, Instant at) {}

    /** The event whose settlement was stale. */
    record Stale(Event event, Instant at) {}

    /** Handling of {@code name} is paused until {@code until}, or resumed when {@code until} is null. */
    record Paused(String name, @Nullable Instant until, Instant at) {}

    /** The alert {@code name} is raised or cleared; {@code value} crossed {@code threshold}. */
    record Alert(String name, boolean raised, double value, double threshold, Instant at) {}

    /**
     * A step that does not end.
     *
     * @param since how long the step has taken so far
     * @param thread the name of the pipeline's thread
     * @param stack the stack of that thread, one frame per line
     * @param holdsLeases false once the leases of the claimed events are no longer extended
     * @param at when the step was checked
     */
    record LoopStuck(Duration since, String thread, String stack, boolean holdsLeases, Instant at) {}

    /** The exception of the store. */
    record StoreTrouble(RuntimeException error, Instant at) {}

    /** The warning. */
    record Lint(String warning, Instant at) {}
}
