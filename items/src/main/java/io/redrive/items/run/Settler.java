package io.redrive.items.run;

import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.Time;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Turns what workers say into what becomes of each sample, and writes it into the ledger. */
final class Settler {

    private static final int MAX_INTERRUPTIONS = 10;

    private final Floor floor;
    private final Ledger ledger;
    private final Judge judge;
    private final Tally tally;
    private final Announcer announcer;
    private final Time time;
    private final Sequence sequence;
    /** The policy gave up on a sample of the call that is being settled. */
    private boolean gaveUp;

    Settler(Floor floor, Stations stations, Tally tally) {
        this.floor = floor;
        this.tally = tally;
        ledger = stations.ledger();
        judge = stations.judge();
        announcer = stations.announcer();
        time = stations.time();
        sequence = stations.sequence();
    }

    void settle(Handled handled, Instant now) {
        Lane lane = handled.lane();
        lane.finished(handled.took());
        slow(lane, handled.askedToWait(), now);
        handled.spent().ifPresent(ledger::spent);
        if (handled.isInterrupted()) {
            interrupted(handled, now);
            return;
        }
        gaveUp = false;
        List<Sample> together = new ArrayList<>(0);
        for (int i = 0; i < handled.samples().size(); i++) {
            Sample sample = handled.samples().get(i);
            try {
                if (settle(sample, handled, handled.outcome(i), now)) {
                    together.add(sample);
                }
            } catch (RuntimeException | Error e) {
                // Its neighbours must not be lost with it, and a sample without an end would keep the run from its own.
                broken(sample, Failure.thrown(e), now);
            }
        }
        if (!together.isEmpty()) {
            lane.addHalves(together);
        }
        tally.called(handled, gaveUp);
    }

    /** True when the sample failed for good, but together with others, one of which may be the culprit. */
    private boolean settle(Sample sample, Handled handled, StageOutcome<byte[]> outcome, Instant now) {
        sample.firstAttempt = sample.firstAttempt == null ? handled.began() : sample.firstAttempt;
        if (outcome instanceof StageOutcome.Value<byte[]> made) {
            ledger.passed(sample, handled, AttemptStatus.SUCCESS, "", now);
            announcer.passed(sample, handled, AttemptStatus.SUCCESS, "");
            floor.advance(sample, made.value());
            enter(sample, now);
            return false;
        }
        if (outcome instanceof StageOutcome.Skip<byte[]> skip) {
            ledger.passed(sample, handled, AttemptStatus.SKIPPED, skip.why(), now);
            announcer.passed(sample, handled, AttemptStatus.SKIPPED, skip.why());
            end(sample, SampleState.SKIPPED, now);
            return false;
        }
        return failed(sample, handled, ((StageOutcome.Failed<byte[]>) outcome).failure(), now);
    }

    /** A sample that could not be settled is dead, unless it has its end already. */
    private void broken(Sample sample, Failure failure, Instant now) {
        Warnings.warn(
                "sample " + sample.id + " could not be settled; given up on: ", ((Failure.Thrown) failure).error());
        if (!sample.state.isFinal()) {
            sample.death = new SampleRecord.Death(Reason.HANDLER_CRASHED, failure.type(), failure.message(), now);
            end(sample, SampleState.DEAD, now);
        }
    }

    /**
     * Who stops a run interrupts, and no attempt is spent on that. A stage that keeps interrupting itself would never come to
     * an end.
     */
    private void interrupted(Handled handled, Instant now) {
        Lane lane = handled.lane();
        if (handled.samples().size() > 1) {
            lane.addHalves(handled.samples());
            return;
        }
        Sample sample = handled.samples().get(0);
        sample.interruptions++;
        if (sample.interruptions < MAX_INTERRUPTIONS) {
            lane.add(sample, now);
        } else {
            Failure failure = Failure.thrown(new InterruptedException("stage '" + lane.stage.name()
                    + "' was interrupted " + sample.interruptions + " times, though nobody stopped the run"));
            giveUp(sample, handled, failure, Reason.INTERRUPTED, now);
        }
    }

    /** A sample that came into this process: to its stage, or to wait for its next attempt. */
    void begin(Sample sample, Instant now) {
        if (sample.failed > 0) {
            floor.awaitHere(sample);
        } else {
            enter(sample, now);
        }
    }

    /** To its stage, or to its end when it is through. */
    void enter(Sample sample, Instant now) {
        if (!floor.enter(sample, now)) {
            sequence.through(sample).forEach(next -> succeed(next, now));
        }
    }

    /** A sample that could not be read. */
    void unreadable(Sample sample, Intake.Read read, Instant now) {
        sample.stage = -1;
        sample.death = new SampleRecord.Death(Reason.INVALID_EVENT, read.errorType(), read.message(), now);
        ledger.died(sample, now);
        end(sample, SampleState.DEAD, now);
    }

    /** A sample whose processes keep dying. */
    void poisonous(Sample sample, Instant now) {
        String why = "its process died " + sample.crashed
                + " times while the sample was under way; look at what the stage" + " does with it before reprocessing";
        sample.death = new SampleRecord.Death(Reason.POISON, "process_died", why, now);
        ledger.died(sample, now);
        end(sample, SampleState.DEAD, now);
    }

    /** True when the sample failed for good, but together with others, one of which may be the culprit. */
    private boolean failed(Sample sample, Handled handled, Failure failure, Instant now) {
        Decision decision = judge.decide(sample, handled, failure, now);
        if (decision instanceof Decision.RetryAfter retry) {
            retry(sample, handled, failure, retry, now);
            await(sample);
            return false;
        }
        gaveUp = true;
        Reason reason = ((Decision.GiveUp) decision).reason();
        if (handled.failedTogether() && reason != Reason.TTL_EXCEEDED) {
            retry(sample, handled, failure, new Decision.RetryAfter(Duration.ZERO), now);
            return true;
        }
        giveUp(sample, handled, failure, reason, now);
        return false;
    }

    /** A watched sample that waits is not under way any more, and must not be counted should its process die. */
    private void await(Sample sample) {
        boolean watched = sample.begun;
        sample.begun = false;
        if (sequence.isOrdered()) {
            floor.awaitHere(sample);
        } else if (watched) {
            floor.park(sample);
        } else {
            floor.await(sample);
        }
    }

    private void giveUp(Sample sample, Handled handled, Failure failure, Reason reason, Instant now) {
        ledger.failed(sample, handled, AttemptStatus.FAILED, failure, Duration.ZERO, now);
        announcer.failed(sample, handled, failure, Decision.giveUp(reason));
        sample.failed++;
        sample.death = new SampleRecord.Death(reason, failure.type(), failure.message(), now);
        end(sample, SampleState.DEAD, now);
    }

    private void retry(Sample sample, Handled handled, Failure failure, Decision.RetryAfter retry, Instant now) {
        ledger.failed(sample, handled, AttemptStatus.RETRYING, failure, retry.delay(), now);
        announcer.failed(sample, handled, failure, retry);
        tally.retried();
        sample.lastErrorType = failure.type();
        sample.retry(retry.delay(), now);
    }

    /** A server's wish is about the caller: the whole stage honours it, also when this sample was given up on. */
    private void slow(Lane lane, Duration hint, Instant now) {
        if (!hint.isZero()) {
            lane.pause(hint, time.nanos());
            lane.heardAsked();
            ledger.paused(lane.stage.name(), now.plus(Floor.shorter(hint, Pacer.LONGEST)));
            announcer.slowed(lane.stage.name(), hint, now);
        }
    }

    /** Ended without a result. */
    private void end(Sample sample, SampleState state, Instant now) {
        finish(sample, state, now);
        sequence.gone(sample).forEach(next -> succeed(next, now));
    }

    private void succeed(Sample sample, Instant now) {
        ledger.result(sample);
        finish(sample, SampleState.SUCCEEDED, now);
    }

    private void finish(Sample sample, SampleState state, Instant now) {
        sample.state = state;
        ledger.ended(sample, now);
        tally.ended(state);
        announcer.ended(sample, now);
    }
}
