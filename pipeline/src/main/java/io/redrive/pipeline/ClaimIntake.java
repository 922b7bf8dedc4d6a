package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes new claims to the dispatcher, if the processor lets them pass. Claims that no handler may see end here. Used by the coordinator
 * alone.
 */
final class ClaimIntake {

    /** How long an event waits whose handler, under an earlier claim, has not returned yet. */
    private static final Duration STILL_HANDLED = Duration.ofSeconds(5);

    /** How long an event waits whose processing threw an exception. */
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(1);

    private final Duration lease;
    private final Ownership ownership;
    private final Workers workers;
    private final Processor processor;
    private final Dispatcher dispatcher;
    private final Settler settler;
    private final Consumer<ClaimEnd> ended;

    /** @param ended takes the claims that end without a handler */
    ClaimIntake(
            Duration lease,
            Ownership ownership,
            Workers workers,
            Processor processor,
            Dispatcher dispatcher,
            Settler settler,
            Consumer<ClaimEnd> ended) {
        this.lease = lease;
        this.ownership = ownership;
        this.workers = workers;
        this.processor = processor;
        this.dispatcher = dispatcher;
        this.settler = settler;
        this.ended = ended;
    }

    /**
     * Takes new claims, or releases the claims when their lease may have run out.
     *
     * @param age the time since the claims were made, at most; no lease was extended meanwhile
     * @param errors collects exceptions: an exception for one claim stops no other claim
     */
    void take(List<Claim> claims, Duration age, Instant now, FirstError errors) {
        boolean tooOld = age.compareTo(lease) > 0;
        for (Claim claim : claims) {
            if (tooOld) {
                decide(new Settlement.Release(claim));
            } else if (!errors.guard(() -> process(claim, now))) {
                decide(new Settlement.Snooze(claim, now.plus(AFTER_TROUBLE)));
            }
        }
    }

    private boolean process(Claim claim, Instant now) {
        if (ownership.losses() > 0 && workers.isHandling(claim.position())) {
            // This node claimed the event again after its lease ran out, while the first handler still runs: never two
            // handlers at once.
            decide(new Settlement.Snooze(claim, now.plus(STILL_HANDLED)));
            return true;
        }
        Verdict verdict = processor.process(claim, now);
        if (verdict instanceof Verdict.Handle handle) {
            dispatcher.add(claim, handle.by(), now);
        } else if (verdict instanceof Verdict.PutOff putOff) {
            decide(new Settlement.Snooze(claim, now.plus(putOff.delay()), putOff.cause()));
        } else if (verdict instanceof Verdict.Expired) {
            ended.accept(settler.expired(claim, now));
        } else {
            decide(settler.rejected(claim, (Verdict.Reject) verdict, now));
        }
        return true;
    }

    private void decide(Settlement settlement) {
        ended.accept(new ClaimEnd.Decided(settlement));
    }
}
