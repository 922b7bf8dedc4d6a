package io.redrive.items.run;

import io.redrive.core.Failure;
import io.redrive.core.Time;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where every sample of this process is: at a stage, waiting for its next attempt, or through and to be written. Keeps the
 * window: how many there are and how much memory they take. Used by the coordinator only.
 */
final class Floor {

    /** How long a retry waits before it asks the retry budget again. */
    private static final Duration BUDGET_WAIT = Duration.ofSeconds(1);

    private final RunSettings settings;
    private final int maxPayload;
    private final Time time;
    private final Workers workers;
    private final List<Lane> lanes = new ArrayList<>();
    private final WaitingRoom waiting = new WaitingRoom();
    private int held;
    private long bytes;
    /** Of all payloads so far. */
    private int largest;

    private boolean halted;

    Floor(ItemPipeline<?, ?> pipeline, RunSettings settings, Time time, Workers workers) {
        this.settings = settings;
        maxPayload = pipeline.maxPayload();
        this.time = time;
        this.workers = workers;
        for (int i = 0; i < pipeline.stages().size(); i++) {
            lanes.add(new Lane(i, pipeline.stages().get(i)));
        }
    }

    /** How many more samples may come. */
    int room() {
        return bytes < settings.windowBytes() ? settings.window() - held : 0;
    }

    /** How many more may come of which only the store knows how large they are: as large as the largest so far. */
    int roomForUnknown() {
        long fit = (settings.windowBytes() - bytes) / (largest == 0 ? maxPayload : largest);
        return (int) Math.min(room(), Math.max(1, fit));
    }

    /** How many more to take on when others want some too; none while there are half of enough. */
    int lacking() {
        int enough = enough();
        int ready = ready();
        return 2 * ready > enough ? 0 : enough - ready;
    }

    /** How many others may have, once there are twice as many as are enough. */
    int surplus() {
        int enough = enough();
        int ready = ready();
        return ready > 2 * enough ? ready - enough : 0;
    }

    /** How many keep the workers busy for a second: what the slowest stage can begin, and no less than two batches. */
    private int enough() {
        int soon = Integer.MAX_VALUE;
        int batches = 1;
        for (Lane lane : lanes) {
            soon = Math.min(soon, lane.soon());
            batches = lane.batchSize() > 1 ? Math.max(batches, 2 * lane.batchSize()) : batches;
        }
        return Math.max(soon, batches);
    }

    private int ready() {
        int ready = 0;
        for (Lane lane : lanes) {
            ready += lane.ready();
        }
        return ready;
    }

    /** Parks up to so many of those that would be worked on last; they are to be written. */
    List<Sample> parkLast(int max) {
        List<Sample> parked = new ArrayList<>();
        for (Lane lane : lanes) {
            while (parked.size() < max && lane.ready() > 0) {
                Sample sample = lane.takeBackLast();
                park(sample);
                parked.add(sample);
            }
        }
        return parked;
    }

    int held() {
        return held;
    }

    int waiting() {
        return waiting.size();
    }

    /** A sample came into this process. */
    void arrived(Sample sample) {
        held++;
        bytes += sample.bytes();
        largest = Math.max(largest, sample.bytes());
    }

    /** Samples were written down and left this process; until then their payloads are in memory. */
    void left(int samples, long payloads) {
        held -= samples;
        bytes -= payloads;
    }

    /** A stage made this of the sample. */
    void advance(Sample sample, byte[] made) {
        bytes += made.length - sample.bytes();
        largest = Math.max(largest, made.length);
        sample.advance(made);
    }

    /** To its stage, for a first attempt. False when it is through all of them. */
    boolean enter(Sample sample, Instant now) {
        if (sample.stage == lanes.size()) {
            return false;
        }
        Lane lane = lanes.get(sample.stage);
        if (lane.retryBudget != null) {
            lane.retryBudget.firstAttempt();
        }
        lane.add(sample, now);
        return true;
    }

    /** To wait for its next attempt: here, or in the store when too many wait here. */
    void await(Sample sample) {
        if (waiting.size() >= Math.max(1, settings.window() / 2) || waiting.bytes() >= settings.windowBytes() / 2) {
            park(sample);
        } else {
            awaitHere(sample);
        }
    }

    /** To wait for its next attempt in this process, however many do. */
    void awaitHere(Sample sample) {
        waiting.add(sample);
    }

    /** To the store with the next commit, for whoever claims it. */
    void park(Sample sample) {
        sample.parked = true;
    }

    /**
     * What has waited long enough; a retry without a token of the budget waits on and spends no attempt meanwhile.
     *
     * @param moreToCome true when more samples are on their way to the first stage
     */
    boolean wake(Instant now, boolean moreToCome) {
        boolean moved = false;
        for (Sample sample = waiting.poll(now); sample != null; sample = waiting.poll(now)) {
            Lane lane = lanes.get(sample.stage);
            if (lane.retryBudget == null
                    || lane.retryBudget.tryRetry(Failure.kind(sample.lastErrorType))
                    || (!moreToCome && isLeftToRetries(lane) && lane.mayRetryFree(time.nanos()))) {
                lane.addAgain(sample, now);
                moved = true;
            } else {
                sample.due = now.plus(BUDGET_WAIT);
                waiting.add(sample);
            }
        }
        return moved;
    }

    /**
     * No first attempt is left to earn a token, here or on its way here: nothing but retries calls the stage, and if all of
     * them waited the run would never end.
     */
    private boolean isLeftToRetries(Lane lane) {
        return !lane.isBusy() && lanes.subList(0, lane.index).stream().allMatch(Lane::isQuiet);
    }

    /**
     * To the workers, as fast as each stage may be called.
     *
     * @param moreToCome true when more samples are on their way to the first stage
     */
    boolean release(Instant now, boolean moreToCome) {
        boolean moved = false;
        boolean upstream = moreToCome;
        for (Lane lane : lanes) {
            long nanos = time.nanos();
            if (lane.isHeld() && !lane.pacer.isPaused(nanos)) {
                lane.letGo();
            }
            while (lane.hasRoom() && !lane.isEmpty() && lane.pacer.mayCall(nanos)) {
                List<Sample> next = lane.next(now, upstream || comesAgainSoon(lane));
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

    /** A sample that failed is due in time to leave with the batch that waits to fill up. */
    private boolean comesAgainSoon(Lane lane) {
        return lane.waitsForBatch() && waiting.nextIs(lane.index, lane.batchDeadline());
    }

    /** So many processes work on the run, and divide its rate limits. */
    void share(int processes) {
        lanes.forEach(lane -> lane.share(processes));
    }

    /** Servers asked other processes to wait. */
    void pause(Map<String, Duration> pauses) {
        for (Lane lane : lanes) {
            Duration pause = pauses.get(lane.stage.name());
            if (pause != null) {
                lane.pause(pause, time.nanos());
            }
        }
    }

    /** Calls nothing that has a rate limit for so long. */
    void pauseLimited(Duration howLong) {
        lanes.stream().filter(Lane::isLimited).forEach(lane -> lane.pause(howLong, time.nanos()));
    }

    /** Nothing new begins; what no worker has begun is taken back. */
    void halt() {
        halted = true;
        lanes.forEach(Lane::halt);
        lanes.forEach(Lane::takeBack);
    }

    /** What workers still have under way is not heard any more. */
    void abandon() {
        lanes.forEach(Lane::abandon);
    }

    /** Nothing is under way at the stages, and nothing could be. */
    boolean isQuiet() {
        return lanes.stream().allMatch(lane -> !lane.isBusy() && (halted || lane.isEmpty()));
    }

    /**
     * How long until something can be done here, at most {@code wait}.
     *
     * @param asleep true when samples that wait are not woken
     */
    Duration untilNext(Instant now, Duration wait, boolean asleep) {
        Duration least = asleep || waiting.next() == null ? wait : shorter(wait, Duration.between(now, waiting.next()));
        for (Lane lane : lanes) {
            long pace = lane.pacer.waitNanos(time.nanos());
            if (pace > 0) {
                least = lane.isHeld() || !lane.isEmpty() ? shorter(least, Duration.ofNanos(pace)) : least;
            } else if (lane.isHeld() || (lane.hasRoom() && !lane.isEmpty())) {
                // All but a batch that fills up became possible after the last release.
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
