package io.redrive.items.run;

import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.Time;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.SampleRecord.Death;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Settles the results of calls: each sample goes on to its next stage, waits for a retry, or has its end. The only class that
 * changes the state of a sample. Used by the coordinator only.
 */
final class Settler {

    /** Interruptions after which a sample is dead: a stage that interrupts its own thread would otherwise run for ever. */
    private static final int MAX_INTERRUPTIONS = 10;

    private final Lanes lanes;
    private final Window window;
    private final RunBooks books;
    private final Judge judge;
    private final Time time;
    private final SinkOrder sinkOrder;
    /** True when the policy gave up on a sample of the call that is being settled. */
    private boolean gaveUp;

    Settler(Lanes lanes, Window window, RunBooks books, CoordinatorParts parts) {
        this.lanes = lanes;
        this.window = window;
        this.books = books;
        judge = parts.judge();
        time = parts.time();
        sinkOrder = parts.sinkOrder();
    }

    void settle(CallResult call, Instant now) {
        Lane lane = call.lane();
        lane.heard(call, time.nanos());
        if (!call.askedToWait().isZero()) {
            books.paused(lane, call.askedToWait(), now);
        }
        lane.changedLimit().ifPresent(limit -> books.limited(lane, limit, now));
        books.spent(call);
        if (call instanceof CallResult.Interrupted) {
            interrupted(call, now);
            return;
        }
        gaveUp = false;
        List<Sample> toHalve = new ArrayList<>(0);
        for (int i = 0; i < call.samples().size(); i++) {
            Sample sample = call.samples().get(i);
            try {
                if (settle(sample, call, call.outcome(i), now)) {
                    toHalve.add(sample);
                }
            } catch (RuntimeException | Error e) {
                // The other samples of the call must be settled, and the run ends only when every sample has its end.
                broken(sample, e, now);
            }
        }
        if (!toHalve.isEmpty()) {
            lane.addHalves(toHalve);
        }
        books.settled(call, gaveUp);
    }

    /** Returns true when the call must be repeated in halves: any sample of the failed call may be the cause. */
    private boolean settle(Sample sample, CallResult call, StageOutcome<byte[]> outcome, Instant now) {
        sample.began(call.began());
        if (outcome instanceof StageOutcome.Value<byte[]> made) {
            books.succeeded(sample, call, now);
            window.replaced(sample, made.value());
            sample.advance(made.value());
            enter(sample, now);
            return false;
        }
        if (outcome instanceof StageOutcome.Skip<byte[]> skip) {
            books.skipped(sample, call, skip.why(), now);
            sample.skip();
            endWithoutResult(sample, now);
            return false;
        }
        return failed(sample, call, ((StageOutcome.Failed<byte[]>) outcome).failure(), now);
    }

    /** Gives up on a sample whose settlement threw, unless the sample has its end already. */
    private void broken(Sample sample, Throwable error, Instant now) {
        Warnings.warn("sample " + sample.id() + " could not be settled; given up on: ", error);
        if (!sample.state().isFinal()) {
            Failure failure = Failure.thrown(error);
            sample.die(new Death(Reason.HANDLER_CRASHED, failure.type(), failure.message(), now));
            endWithoutResult(sample, now);
        }
    }

    /** Tries interrupted samples again and spends no attempt: a run that stops interrupts its workers. */
    private void interrupted(CallResult call, Instant now) {
        Lane lane = call.lane();
        if (call.samples().size() > 1) {
            lane.addHalves(call.samples());
            return;
        }
        Sample sample = call.samples().get(0);
        int interruptions = sample.interrupted();
        if (interruptions < MAX_INTERRUPTIONS) {
            lane.add(sample, now);
        } else {
            Failure failure = Failure.thrown(new InterruptedException("stage '" + lane.stage.name()
                    + "' was interrupted " + interruptions + " times, though nobody stopped the run"));
            giveUp(sample, call, failure, Reason.INTERRUPTED, now);
        }
    }

    /** Puts a new sample of this process into its lane, or into the queue of retries. */
    void begin(Sample sample, Instant now) {
        if (sample.isRetry()) {
            lanes.awaitHere(sample);
        } else {
            enter(sample, now);
        }
    }

    private void enter(Sample sample, Instant now) {
        if (!lanes.enter(sample, now)) {
            sinkOrder.through(sample).forEach(next -> succeed(next, now));
        }
    }

    /** Ends a sample that the source could not read. */
    void unreadable(Sample sample, Intake.Read.Bad read, Instant now) {
        Death death = new Death(Reason.INVALID_EVENT, read.errorType(), read.message(), now);
        sample.unreadable(death);
        books.diedUntried(sample, death, now);
        endWithoutResult(sample, now);
    }

    /** Ends a sample whose processes keep dying. */
    void poisonous(Sample sample, Instant now) {
        String why = "its process died " + sample.crashed()
                + " times while the sample was under way; look at what the stage does with it before reprocessing";
        Death death = new Death(Reason.POISON, "process_died", why, now);
        sample.die(death);
        books.diedUntried(sample, death, now);
        endWithoutResult(sample, now);
    }

    /** Returns true when the call must be repeated in halves: any sample of the failed call may be the cause. */
    private boolean failed(Sample sample, CallResult call, Failure failure, Instant now) {
        Decision decision = judge.decide(sample, call, failure, now);
        if (decision instanceof Decision.RetryAfter retry) {
            retry(sample, call, failure, retry.delay(), now);
            await(sample);
            return false;
        }
        gaveUp = true;
        Reason reason = ((Decision.GiveUp) decision).reason();
        if (call.failedTogether() && reason != Reason.TTL_EXCEEDED) {
            retry(sample, call, failure, Duration.ZERO, now);
            return true;
        }
        giveUp(sample, call, failure, reason, now);
        return false;
    }

    /** Removes the mark of a waiting sample: the sample is not under way, and must not be counted if its process dies. */
    private void await(Sample sample) {
        boolean watched = sample.isMarked();
        sample.unmark();
        if (sinkOrder.isOrdered()) {
            lanes.awaitHere(sample);
        } else if (watched) {
            sample.park();
        } else {
            lanes.await(sample);
        }
    }

    private void giveUp(Sample sample, CallResult call, Failure failure, Reason reason, Instant now) {
        books.failed(sample, call, failure, reason, now);
        sample.giveUp(new Death(reason, failure.type(), failure.message(), now));
        endWithoutResult(sample, now);
    }

    private void retry(Sample sample, CallResult call, Failure failure, Duration delay, Instant now) {
        books.retrying(sample, call, failure, delay, now);
        sample.retry(failure, delay, now);
    }

    private void endWithoutResult(Sample sample, Instant now) {
        books.ended(sample, now);
        sinkOrder.gone(sample).forEach(next -> succeed(next, now));
    }

    private void succeed(Sample sample, Instant now) {
        sample.succeed();
        books.ended(sample, now);
    }
}
