package io.redrive.pipeline;

import io.redrive.core.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the pipeline's thread is busy with a step. A step takes milliseconds; a step longer than
 * {@link #STUCK_AFTER} waits for a listener or for the store, and no event moves meanwhile. Thread-safe.
 */
final class LoopWatch {

    /** From this duration of a step on, the pipeline is not healthy. */
    static final Duration STUCK_AFTER = Duration.ofSeconds(30);

    /** From this duration of a step on, leases are no longer extended: other nodes take over the events. */
    static final Duration LET_GO_AFTER = Duration.ofMinutes(5);

    /** Time between two warnings about the same step. */
    static final Duration TOLD_EVERY = Duration.ofMinutes(1);

    private final Time time;
    /** Null between steps. */
    private volatile @Nullable Step step;

    private long toldAt;
    /** The thread of the last warning; null before the first. */
    private @Nullable Thread teller;

    /** The current step, with its thread and its begin by the monotonic clock. */
    private record Step(Thread thread, long began) {}

    LoopWatch(Time time) {
        this.time = time;
    }

    void stepBegins() {
        step = new Step(Thread.currentThread(), time.nanos());
    }

    void stepEnds() {
        step = null;
    }

    /** Returns the duration of the step under way; zero between steps. */
    Duration busyFor() {
        Step current = step;
        return current == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, time.nanos() - current.began()));
    }

    boolean isStuck() {
        return busyFor().compareTo(STUCK_AFTER) > 0;
    }

    boolean keepsLeases() {
        return busyFor().compareTo(LET_GO_AFTER) <= 0;
    }

    /**
     * Warns listeners about a stuck step, at most once in {@link #TOLD_EVERY}. The warning has a thread of its own, since the
     * caller keeps leases alive and must not wait for a listener or a log.
     */
    void check(Listeners listeners, Instant now) {
        Step current = step;
        boolean isNews = teller == null || time.nanos() - toldAt >= TOLD_EVERY.toNanos();
        if (current == null || !isStuck() || !isNews || teller != null && teller.isAlive()) {
            return;
        }
        toldAt = time.nanos();
        PipelineListener.LoopStuck told = new PipelineListener.LoopStuck(
                busyFor(), current.thread().getName(), stackOf(current.thread()), keepsLeases(), now);
        Thread warning =
                Threads.daemon(() -> listeners.tell(listener -> listener.onLoopStuck(told)), "redrive-watchdog");
        teller = warning;
        warning.start();
    }

    private static String stackOf(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(frame -> "    at " + frame)
                .collect(Collectors.joining("\n"));
    }
}
