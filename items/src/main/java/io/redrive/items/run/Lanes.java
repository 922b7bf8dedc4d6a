package io.redrive.items.run;

import io.redrive.core.Time;
import io.redrive.items.ItemPipeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of all stages, and the samples that wait for a retry: where each sample of this process is until its end. Used by
 * the coordinator only.
 */
final class Lanes {

    /** How long a retry waits before it asks the retry budget again. */
    private static final Duration BUDGET_WAIT = Duration.ofSeconds(1);

    private final Window window;
    private final Time time;
    private final Workers workers;
    private final List<Lane> all = new ArrayList<>();
    private final RetryQueue waiting = new RetryQueue();
    private boolean halted;

    Lanes(ItemPipeline<?, ?> pipeline, Window window, Time time, Workers workers) {
        this.window = window;
        this.time = time;
        this.workers = workers;
        for (int i = 0; i < pipeline.stages().size(); i++) {
            all.add(new Lane(i, pipeline.stages().get(i)));
        }
    }

    /** How many more samples to take on when other processes want some too; none while half of enough are ready. */
    int lacking() {
        int enough = enough();
        int ready = ready();
        return 2 * ready > enough ? 0 : enough - ready;
    }

    /** How many ready samples to give to other processes: all beyond enough, once twice as many as enough are ready. */
    int surplus() {
        int enough = enough();
        int ready = ready();
        return ready > 2 * enough ? ready - enough : 0;
    }

    /** How many samples keep the workers busy for a second: as many as the slowest stage begins, and at least two batches. */
    private int enough() {
        int soon = Integer.MAX_VALUE;
        int batches = 1;
        for (Lane lane : all) {
            soon = Math.min(soon, lane.soon());
            batches = lane.batchSize() > 1 ? Math.max(batches, 2 * lane.batchSize()) : batches;
        }
        return Math.max(soon, batches);
    }

    private int ready() {
        int ready = 0;
        for (Lane lane : all) {
            ready += lane.ready();
        }
        return ready;
    }

    /** Parks and returns up to {@code max} ready samples, last ones first. The caller adds the samples to the ledger. */
    List<Sample> parkLast(int max) {
        List<Sample> parked = new ArrayList<>();
        for (Lane lane : all) {
            while (parked.size() < max) {
                Sample last = lane.removeLast();
                if (last == null) {
                    break;
                }
                last.park();
                parked.add(last);
            }
        }
        return parked;
    }

    /** How many samples wait for a retry in this process. */
    int waiting() {
        return waiting.size();
    }

    /** Puts a sample into the lane of its stage, for a first attempt. Returns false when the sample is through all stages. */
    boolean enter(Sample sample, Instant now) {
        if (sample.stage() == all.size()) {
            return false;
        }
        Lane lane = all.get(sample.stage());
        if (lane.retryBudget != null) {
            lane.retryBudget.firstAttempt();
        }
        lane.add(sample, now);
        return true;
    }

    /** Lets a sample wait for its retry: in this process, or in the store when half the window waits here already. */
    void await(Sample sample) {
        if (window.isHalfFull(waiting.size(), waiting.bytes())) {
            sample.park();
        } else {
            awaitHere(sample);
        }
    }

    /** Lets a sample wait for its retry in this process. */
    void awaitHere(Sample sample) {
        waiting.add(sample);
    }

    /**
     * Puts waiting samples that are due into their lanes. A retry without a token of the budget waits on, and spends no attempt.
     *
     * @param moreToCome true when samples are on their way to the first stage
     */
    boolean wake(Instant now, boolean moreToCome) {
        boolean moved = false;
        for (Sample sample = waiting.poll(now); sample != null; sample = waiting.poll(now)) {
            Lane lane = all.get(sample.stage());
            if (mayRetry(sample, lane, moreToCome)) {
                lane.addAgain(sample, now);
                moved = true;
            } else {
                sample.postpone(now.plus(BUDGET_WAIT));
                waiting.add(sample);
            }
        }
        return moved;
    }

    private boolean mayRetry(Sample sample, Lane lane, boolean moreToCome) {
        return lane.retryBudget == null
                || lane.retryBudget.tryRetry(sample.lastFailure())
                || (!moreToCome && isLeftToRetries(lane) && lane.takeFreeRetry(time.nanos()));
    }

    /**
     * Returns true when no first attempt can earn a token any more, in this lane or on the way to it: if all retries waited for
     * tokens, the run would never end.
     */
    private boolean isLeftToRetries(Lane lane) {
        return !lane.isBusy() && all.subList(0, lane.index).stream().allMatch(Lane::isQuiet);
    }

    /**
     * Releases calls to the workers, as fast as each stage may be called.
     *
     * @param moreToCome true when samples are on their way to the first stage
     */
    boolean release(Instant now, boolean moreToCome) {
        boolean moved = false;
        boolean upstream = moreToCome;
        for (Lane lane : all) {
            long nanos = time.nanos();
            lane.resume(nanos);
            while (lane.hasRoom() && !lane.isEmpty() && lane.pacer.mayCall(nanos)) {
                List<Sample> next = lane.next(now, upstream || isRetryDueSoon(lane));
                if (next.isEmpty()) {
                    break;
                }
                lane.pacer.called(nanos);
                lane.release(next);
                moved = true;
            }
            workers.start(lane);
            upstream |= !lane.isQuiet();
        }
        return moved;
    }

    /** Returns true when a retry is due in time to leave with the batch that waits to fill up. */
    private boolean isRetryDueSoon(Lane lane) {
        return lane.waitsForBatch() && waiting.nextIs(lane.index, lane.batchDeadline());
    }

    /** Divides the limits of all stages between so many processes. */
    void share(int processes) {
        all.forEach(lane -> lane.share(processes));
    }

    /** Pauses stages that servers asked other processes not to call; by the name of the stage. */
    void pause(Map<String, Duration> pauses) {
        for (Lane lane : all) {
            Duration pause = pauses.get(lane.stage.name());
            if (pause != null) {
                lane.pause(pause, time.nanos());
            }
        }
    }

    /** Pauses all stages that have a rate limit or a cost limit. */
    void pauseLimited(Duration howLong) {
        all.stream().filter(Lane::isLimited).forEach(lane -> lane.pause(howLong, time.nanos()));
    }

    /** Begins no more calls; released calls that no worker has begun are forgotten. */
    void halt() {
        halted = true;
        all.forEach(Lane::halt);
    }

    /** Waits for no call that is under way. */
    void abandon() {
        all.forEach(Lane::abandon);
    }

    /** True when no call is under way and none can be released. */
    boolean isQuiet() {
        return all.stream().allMatch(lane -> !lane.isBusy() && (halted || lane.isEmpty()));
    }

    /**
     * How long until a sample can be woken or released, at most {@code wait}.
     *
     * @param asleep true when waiting samples are not woken
     */
    Duration untilNext(Instant now, Duration wait, boolean asleep) {
        @Nullable Instant due = asleep ? null : waiting.nextDue();
        Duration least = due == null ? wait : shorter(wait, Duration.between(now, due));
        for (Lane lane : all) {
            long pace = lane.pacer.waitNanos(time.nanos());
            if (pace > 0) {
                least = lane.isHeld() || !lane.isEmpty() ? shorter(least, Duration.ofNanos(pace)) : least;
            } else if (lane.isHeld() || (lane.hasRoom() && !lane.isEmpty())) {
                // The lane has become free since the last release, unless its batch waits to fill up.
                boolean fillsUp = !lane.isHeld() && lane.waitsForBatch();
                least = fillsUp ? shorter(least, Duration.between(now, lane.batchDeadline())) : Duration.ZERO;
            }
        }
        return least;
    }

    static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
