package io.redrive.items.run;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.SampleRecord.Death;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.time.Instant;

/**
 * The one receiver of outcomes. The settler reports each end of an attempt, a sample and a call here, once; the books pass the
 * fact on to the ledger (for the store), the counts (for the failure budget) and the listeners. Used by the coordinator only.
 */
final class RunBooks {

    private final Ledger ledger;
    private final RunCounts counts;
    private final Announcer announcer;

    RunBooks(Ledger ledger, RunCounts counts, Announcer announcer) {
        this.ledger = ledger;
        this.counts = counts;
        this.announcer = announcer;
    }

    /** The attempt made a value. */
    void succeeded(Sample sample, CallResult call, Instant now) {
        ledger.attempted(sample, call, AttemptStatus.SUCCESS, "", "", Duration.ZERO, now);
        announcer.succeeded(sample, call);
    }

    /** The stage skipped the sample. */
    void skipped(Sample sample, CallResult call, String why, Instant now) {
        ledger.attempted(sample, call, AttemptStatus.SKIPPED, "", why, Duration.ZERO, now);
        announcer.skipped(sample, call, why);
    }

    /** The attempt failed, and another follows after {@code delay}. */
    void retrying(Sample sample, CallResult call, Failure failure, Duration delay, Instant now) {
        ledger.attempted(sample, call, AttemptStatus.RETRYING, failure.type(), failure.message(), delay, now);
        announcer.retrying(sample, call, failure, delay);
        counts.retried();
    }

    /** The attempt failed, and no other follows. */
    void failed(Sample sample, CallResult call, Failure failure, Reason reason, Instant now) {
        ledger.attempted(sample, call, AttemptStatus.FAILED, failure.type(), failure.message(), Duration.ZERO, now);
        announcer.failed(sample, call, failure, reason);
    }

    /** The sample died without an attempt: the source could not read it, or its processes keep dying. */
    void diedUntried(Sample sample, Death death, Instant now) {
        ledger.diedUntried(sample, death, now);
    }

    /** The sample has its end. */
    void ended(Sample sample, Instant now) {
        if (sample.state() == SampleState.SUCCEEDED) {
            ledger.result(sample);
        }
        ledger.ended(sample, now);
        counts.ended(sample.state());
        announcer.ended(sample, now);
    }

    /** The adaptive limit of a stage has changed. */
    void limited(Lane lane, AdaptiveLimit limit, Instant now) {
        announcer.limited(lane.stage.name(), limit, now);
    }

    /** The stage waits because a server asked for time. */
    void paused(Lane lane, Duration hint, Instant now) {
        ledger.paused(lane.stage.name(), now.plus(Lanes.shorter(hint, Pacer.LONGEST)));
        announcer.slowed(lane.stage.name(), hint, now);
    }

    /** All samples of the call are settled; {@code gaveUp} when the policy gave up on one of them. */
    void settled(CallResult call, boolean gaveUp) {
        counts.called(call, gaveUp);
    }

    /** Adds the cost of the call, also of an interrupted one. */
    void spent(CallResult call) {
        call.spent().ifPresent(ledger::spent);
    }
}
