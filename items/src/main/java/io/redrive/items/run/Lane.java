package io.redrive.items.run;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.CostLimit;
import io.redrive.core.RetryBudget;
import io.redrive.items.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The samples at one stage: ready ones, and calls released to the stage's workers. Calls are released ahead of the workers,
 * so that a quick stage never waits for the coordinator: as many as begin within a second, because no other process can have a
 * released sample. A stage with a rate limit, a cost limit or an adaptive limit gets no call ahead.
 *
 * <p>The lane owns the counts of its calls. A worker tells it of the end of a call with {@link #ended}, the coordinator tells it
 * that it has heard of that end with {@link #heard}; in between, a call after which a server asked for time keeps workers from
 * beginning another.
 */
final class Lane {

    /** Most samples of a quick stage that are released ahead of its workers. */
    private static final int AHEAD = 256;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The last call counts for a quarter in the expected time of a call. */
    private static final int SMOOTHING = 4;

    final int index;
    final Stage<?, ?> stage;
    final Pacer pacer;
    final @Nullable CostLimit costLimit;
    private final @Nullable AdaptiveLimit adaptive;
    final @Nullable RetryBudget retryBudget;
    private final int batchSize;

    private final Deque<Ready> ready = new ArrayDeque<>();
    private final Deque<List<Sample>> halves = new ArrayDeque<>();
    /** Calls that were released and whose end the coordinator has not heard of. */
    private int outstanding;

    /** The expected time of a call. */
    private long callNanos = SECOND_NANOS;
    /** How many calls may be released beyond the number of workers. */
    private int ahead;
    /** Retries without a token of the budget that are left in this second. */
    private int freeRetries;

    private long lastFreeRetry;
    /** The adaptive limit that listeners heard of last. */
    private int toldLimit;

    // ---- Shared with the workers ----

    private final Queue<List<Sample>> released = new ConcurrentLinkedQueue<>();
    private final AtomicInteger workers = new AtomicInteger();
    private volatile boolean held;
    private volatile boolean halted;
    /** Ended calls after which a server asked for time, and of which the coordinator has not heard. */
    private final AtomicInteger unheardHints = new AtomicInteger();

    private record Ready(Sample sample, Instant since) {}

    Lane(int index, Stage<?, ?> stage) {
        this.index = index;
        this.stage = stage;
        pacer = new Pacer(stage.rateLimit().orElse(null));
        costLimit = stage.costLimit().orElse(null);
        adaptive = stage.adaptiveLimit().orElse(null);
        retryBudget = stage.retryBudget().orElse(null);
        batchSize = stage.batchSize();
        freeRetries = stage.concurrency() * batchSize;
    }

    // ---- The coordinator's side ----

    void add(Sample sample, Instant now) {
        ready.add(new Ready(sample, now));
    }

    /** Adds a sample for a retry, before all others: it has waited, its time may be limited, and begun work should end soon. */
    void addAgain(Sample sample, Instant now) {
        Ready first = ready.peek();
        ready.addFirst(new Ready(sample, first == null ? now : first.since()));
    }

    /** Takes one of the retries that need no token of the budget: in a second, as many as run at once. */
    boolean takeFreeRetry(long nanos) {
        if (freeRetries == 0 && nanos - lastFreeRetry >= SECOND_NANOS) {
            freeRetries = stage.concurrency() * batchSize;
        }
        if (freeRetries == 0) {
            return false;
        }
        freeRetries--;
        lastFreeRetry = nanos;
        return true;
    }

    /** Adds the samples of a failed batch for calls with half as many samples each; a single sample is called alone. */
    void addHalves(List<Sample> samples) {
        int half = (samples.size() + 1) / 2;
        halves.add(List.copyOf(samples.subList(0, half)));
        if (half < samples.size()) {
            halves.add(List.copyOf(samples.subList(half, samples.size())));
        }
    }

    /** How many samples are ready and not released. */
    int ready() {
        return ready.size();
    }

    /** Removes the ready sample that would be released last; null when none is ready. */
    @Nullable
    Sample removeLast() {
        Ready last = ready.pollLast();
        return last == null ? null : last.sample();
    }

    int batchSize() {
        return batchSize;
    }

    /** True when no call can be released. */
    boolean isEmpty() {
        return ready.isEmpty() && halves.isEmpty();
    }

    boolean isQuiet() {
        return isEmpty() && !isBusy();
    }

    /** True when the coordinator has not heard of the end of a released call. */
    boolean isBusy() {
        return outstanding > 0;
    }

    boolean hasRoom() {
        return outstanding < stage.concurrency() + ahead;
    }

    /** How many samples begin here within a second, by the expected time of a call; at most what a quick stage needs. */
    int soon() {
        long calls = pacer.atMost(SECOND_NANOS, stage.concurrency() * SECOND_NANOS / Math.max(1, callNanos));
        return (int) Math.min(Math.max(AHEAD, batchSize), calls * batchSize);
    }

    /**
     * Removes the samples of the next call; empty when there is none, or when a batch should wait to fill up.
     *
     * @param moreToCome true when samples are on their way to this stage
     */
    List<Sample> next(Instant now, boolean moreToCome) {
        List<Sample> half = halves.poll();
        if (half != null) {
            return half;
        }
        if (ready.isEmpty()) {
            return List.of();
        }
        if (batchSize == 1) {
            return List.of(ready.remove().sample());
        }
        if (moreToCome && ready.size() < batchSize && now.isBefore(batchDeadline())) {
            return List.of();
        }
        List<Sample> batch = new ArrayList<>(Math.min(batchSize, ready.size()));
        while (batch.size() < batchSize && !ready.isEmpty()) {
            batch.add(ready.remove().sample());
        }
        return batch;
    }

    /** When a batch that waits to fill up leaves anyway; only while {@link #waitsForBatch}. */
    Instant batchDeadline() {
        return ready.element().since().plus(stage.batchWait());
    }

    boolean waitsForBatch() {
        return batchSize > 1 && !ready.isEmpty() && ready.size() < batchSize && halves.isEmpty();
    }

    /** Releases a call to the workers; the caller starts a worker if {@link #startsWorker} says so. */
    void release(List<Sample> samples) {
        outstanding++;
        released.add(samples);
    }

    /** Returns true when one more worker may start, and counts it as started. */
    boolean startsWorker() {
        int running = workers.get();
        return !isStopped()
                && !released.isEmpty()
                && running < stage.concurrency()
                && workers.compareAndSet(running, running + 1);
    }

    /** The coordinator has heard of the end of a call: forgets the call, and pauses the stage if a server asked for time. */
    void heard(CallResult call, long nanos) {
        outstanding--;
        callNanos += (call.took().toNanos() - callNanos) / SMOOTHING;
        ahead = isLimited() ? 0 : soon() / batchSize;
        if (!call.askedToWait().isZero()) {
            pause(call.askedToWait(), nanos);
            unheardHints.decrementAndGet();
        }
    }

    /** Returns the adaptive limit once after each change; empty without an adaptive limit. */
    Optional<AdaptiveLimit> changedLimit() {
        if (adaptive == null || adaptive.limit() == toldLimit) {
            return Optional.empty();
        }
        toldLimit = adaptive.limit();
        return Optional.of(adaptive);
    }

    /** The coordinator will hear of no more ends. */
    void abandon() {
        outstanding = 0;
    }

    /** Workers begin no more calls, and wait no longer for the cost limit. Released calls that did not begin are forgotten. */
    void halt() {
        halted = true;
        held = true;
        takeBack();
    }

    /** Forgets the released calls that no worker has begun. */
    void takeBack() {
        while (released.poll() != null) {
            outstanding--;
        }
    }

    boolean isHalted() {
        return halted;
    }

    /** True for a stage with a rate limit, a cost limit or an adaptive limit. */
    boolean isLimited() {
        return pacer.isLimited() || costLimit != null || adaptive != null;
    }

    /** Divides the limits of the stage between so many processes. */
    void share(int processes) {
        pacer.share(processes);
        if (costLimit != null) {
            costLimit.share(Math.max(1, processes));
        }
        if (adaptive != null) {
            adaptive.share(processes);
        }
    }

    /** Begins no call for so long. */
    void pause(Duration howLong, long nanos) {
        pacer.pause(howLong, nanos);
        held = true;
    }

    /** Lets workers begin calls again once the pause is over. */
    void resume(long nanos) {
        if (held && !pacer.isPaused(nanos)) {
            held = false;
        }
    }

    boolean isHeld() {
        return held;
    }

    // ---- The workers' side ----

    /** Takes the next released call; null when the worker is to end, which is then counted as ended. */
    @Nullable
    List<Sample> take() {
        while (true) {
            boolean tooMany = adaptive != null && workers.get() > adaptive.limit();
            List<Sample> next = isStopped() || tooMany ? null : released.poll();
            if (next != null) {
                if (adaptive != null) {
                    adaptive.began();
                }
                return next;
            }
            workers.decrementAndGet();
            // A call may have been released after the poll, while this worker was still counted.
            if (!startsWorker()) {
                return null;
            }
        }
    }

    private boolean isStopped() {
        return held || unheardHints.get() > 0;
    }

    /**
     * A call has ended; to be told before its result is queued. If a server asked for time, no worker begins another call until
     * the coordinator has {@link #heard} of it and paused the lane.
     */
    void ended(CallResult call) {
        if (adaptive != null) {
            adaptive.ended(call.took(), call.ending());
        }
        if (!call.askedToWait().isZero()) {
            unheardHints.incrementAndGet();
        }
    }

    /** True when no released call is left to begin: the coordinator should hear of this end now. */
    boolean isDrained() {
        return released.isEmpty();
    }

    /** A worker that was counted as started could not start. */
    void workerRefused() {
        workers.decrementAndGet();
    }
}
