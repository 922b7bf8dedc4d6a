package io.redrive.items.run;

import io.redrive.core.CostLimit;
import io.redrive.core.RetryBudget;
import io.redrive.items.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The samples at one stage: those ready for it, and those released to its workers. Calls are released ahead of the
 * workers, so that a quick stage never waits for the coordinator: as many as begin within a second, for what is released
 * no other process can have. A stage with a rate limit is given none ahead.
 */
final class Lane {

    /** How many samples of a quick stage may lie ready for its workers. */
    private static final int AHEAD = 256;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How much the last call counts in what a call is expected to take: a quarter. */
    private static final int SMOOTHING = 4;

    final int index;
    final Stage<?, ?> stage;
    final Pacer pacer;
    /** Null when the stage has none. */
    final CostLimit costLimit;

    /** Null when the stage has none. */
    final RetryBudget retryBudget;

    private final int batchSize;

    private final Deque<Waiting> ready = new ArrayDeque<>();
    private final Deque<List<Sample>> halves = new ArrayDeque<>();
    private int outstanding;
    private long callNanos = SECOND_NANOS;
    private int ahead;
    private int free;
    private long lastFree;

    // What follows is shared with the workers.
    private final Queue<List<Sample>> released = new ConcurrentLinkedQueue<>();
    private final AtomicInteger loops = new AtomicInteger();
    private volatile boolean held;
    private volatile boolean halted;
    private final AtomicInteger asked = new AtomicInteger();

    private record Waiting(Sample sample, Instant since) {}

    Lane(int index, Stage<?, ?> stage) {
        this.index = index;
        this.stage = stage;
        pacer = new Pacer(stage.rateLimit().orElse(null));
        costLimit = stage.costLimit().orElse(null);
        retryBudget = stage.retryBudget().orElse(null);
        batchSize = stage.batchSize();
        free = stage.concurrency() * batchSize;
    }

    // ---- The coordinator's side ----

    void add(Sample sample, Instant now) {
        ready.add(new Waiting(sample, now));
    }

    /**
     * For another attempt, before all others: it has waited, its time may be limited, and whoever has begun should be done
     * soon.
     */
    void addAgain(Sample sample, Instant now) {
        ready.addFirst(new Waiting(sample, ready.isEmpty() ? now : ready.peek().since()));
    }

    /** Takes one of the retries that need no token of the budget: as many in a second as run at once. */
    boolean mayRetryFree(long nanos) {
        if (free == 0 && nanos - lastFree >= SECOND_NANOS) {
            free = stage.concurrency() * batchSize;
        }
        if (free == 0) {
            return false;
        }
        free--;
        lastFree = nanos;
        return true;
    }

    /** A batch that failed for good is tried again in two halves; one sample, of which others failed for now, alone. */
    void addHalves(List<Sample> samples) {
        int half = (samples.size() + 1) / 2;
        halves.add(List.copyOf(samples.subList(0, half)));
        if (half < samples.size()) {
            halves.add(List.copyOf(samples.subList(half, samples.size())));
        }
    }

    /** How many no worker was given yet. */
    int ready() {
        return ready.size();
    }

    /** Takes back the one that would be given to a worker last; null when there is none. */
    Sample takeBackLast() {
        Waiting last = ready.pollLast();
        return last == null ? null : last.sample();
    }

    int batchSize() {
        return batchSize;
    }

    boolean isEmpty() {
        return ready.isEmpty() && halves.isEmpty();
    }

    boolean isQuiet() {
        return isEmpty() && !isBusy();
    }

    /** True when calls were released of which the coordinator has not heard. */
    boolean isBusy() {
        return outstanding > 0;
    }

    boolean hasRoom() {
        return outstanding < stage.concurrency() + ahead;
    }

    /** How many samples begin here within a second, going by how long calls take; at most what a quick stage needs. */
    int soon() {
        long calls = pacer.atMost(SECOND_NANOS, stage.concurrency() * SECOND_NANOS / Math.max(1, callNanos));
        return (int) Math.min(Math.max(AHEAD, batchSize), calls * batchSize);
    }

    /**
     * The samples for the next call; empty when there are none, or when a batch should wait to fill up.
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

    /** When a batch that waits to fill up leaves anyway. */
    Instant batchDeadline() {
        return ready.peek().since().plus(stage.batchWait());
    }

    boolean waitsForBatch() {
        return batchSize > 1 && !ready.isEmpty() && ready.size() < batchSize && halves.isEmpty();
    }

    /** Hands samples to the workers; start one if {@link #startsWorker} says so. */
    void release(List<Sample> samples) {
        outstanding++;
        released.add(samples);
    }

    /** True when one more worker may start; it is counted as started. */
    boolean startsWorker() {
        int running = loops.get();
        return !held
                && asked.get() == 0
                && !released.isEmpty()
                && running < stage.concurrency()
                && loops.compareAndSet(running, running + 1);
    }

    /** The coordinator has heard of a call. */
    void finished(Duration took) {
        outstanding--;
        callNanos += (took.toNanos() - callNanos) / SMOOTHING;
        ahead = isLimited() ? 0 : soon() / batchSize;
    }

    /** What is under way will not be heard any more. */
    void abandon() {
        outstanding = 0;
    }

    /** Workers begin nothing more, and do not wait for the cost limit any longer. */
    void halt() {
        halted = true;
        hold();
    }

    boolean isHalted() {
        return halted;
    }

    /** True when calls are limited by their number or their cost. */
    boolean isLimited() {
        return pacer.isLimited() || costLimit != null;
    }

    /** Divides the limits between so many processes. */
    void share(int processes) {
        pacer.share(processes);
        if (costLimit != null) {
            costLimit.share(Math.max(1, processes));
        }
    }

    /** Workers begin nothing more until {@link #letGo}. */
    void hold() {
        held = true;
    }

    /** Nothing more is called for so long. */
    void pause(Duration howLong, long nanos) {
        pacer.pause(howLong, nanos);
        hold();
    }

    void letGo() {
        held = false;
    }

    /** The coordinator has heard that a server asked for time, and holds the lane itself if it must. */
    void heardAsked() {
        asked.decrementAndGet();
    }

    boolean isHeld() {
        return held;
    }

    /** Takes back what no worker has begun. */
    void takeBack() {
        while (released.poll() != null) {
            outstanding--;
        }
    }

    // ---- The workers' side ----

    /** What to do next; null when there is nothing, and then the worker is counted as gone. */
    List<Sample> take() {
        while (true) {
            List<Sample> next = held || asked.get() > 0 ? null : released.poll();
            if (next != null) {
                return next;
            }
            loops.decrementAndGet();
            // Something may have been released after the poll, by a coordinator who still saw this worker at work.
            if (!startsWorker()) {
                return null;
            }
        }
    }

    /** Nothing is left to begin: the coordinator should hear of it now. */
    boolean isDrained() {
        return released.isEmpty();
    }

    /** A server asked for time: nothing more begins until the coordinator has heard of it, so that no call slips through. */
    void askedToWait() {
        asked.incrementAndGet();
    }

    /** The worker that was counted as started never came to be. */
    void workerRefused() {
        loops.decrementAndGet();
    }
}
