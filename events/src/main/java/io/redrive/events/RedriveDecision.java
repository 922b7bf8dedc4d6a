package io.redrive.events;

import io.redrive.core.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The next step of a redrive operation, as a pure function of the operation and the time. A counted stage of a canary is
 * sent, then its events are waited for; the last stage, and an operation without stages, is sent while its events are
 * looked after. An operation that sends no more letters is looked after until its last event has ended.
 */
sealed interface RedriveDecision {

    /** Events looked at in one transaction. */
    int PAGE = 1_000;

    /** Send letters, in this stage. */
    record Send(int stage, int letters) implements RedriveDecision {}

    /** Look for events that have ended. */
    record Look(int events) implements RedriveDecision {}

    /** End the operation in this state. */
    record End(RedriveState state) implements RedriveDecision {}

    /** Nothing to do before this time. */
    record Rest(Instant until) implements RedriveDecision {}

    /** Nothing to do, unless an operator starts or resumes the operation. */
    record Idle() implements RedriveDecision {}

    static RedriveDecision of(RedriveOperation operation, Instant now) {
        if (operation.state() instanceof RedriveState.Running) {
            return halt(operation).orElseGet(() -> whileRunning(operation, now));
        }
        return operation.counts().underWay() > 0 ? look(operation, now) : new Idle();
    }

    /**
     * Returns a halt when a known cause is back, or when most events died again of another cause: a fix that broke
     * another part. Returns empty when the operation may go on.
     */
    private static Optional<RedriveDecision> halt(RedriveOperation operation) {
        RedriveCounts counts = operation.counts();
        if (!operation.plan().isCanary()) {
            return Optional.empty();
        }
        Set<String> back = operation.causes().back();
        if (!back.isEmpty()) {
            return Optional.of(new End(new RedriveState.Halted("the same cause returned", back)));
        }
        return counts.deadAgain() * 2 > counts.redriven()
                ? Optional.of(new End(new RedriveState.Halted(
                        "most died again, of another cause",
                        operation.causes().returned().keySet())))
                : Optional.empty();
    }

    private static RedriveDecision whileRunning(RedriveOperation operation, Instant now) {
        RedriveCounts counts = operation.counts();
        RedrivePlan plan = operation.plan();
        int stage = operation.pace().stage();
        long left = plan.lettersOf(stage) - operation.pace().sentInStage();
        if (plan.isLast(stage)) {
            return inLastStage(operation, now);
        }
        if (left > 0 && counts.pending() > 0) {
            return send(operation, stage, left, now);
        }
        if (counts.underWay() > 0) {
            return waitForStage(operation, now);
        }
        return counts.pending() > 0
                ? send(operation, stage + 1, plan.lettersOf(stage + 1), now)
                : new End(new RedriveState.Finished());
    }

    private static RedriveDecision inLastStage(RedriveOperation operation, Instant now) {
        RedriveCounts counts = operation.counts();
        boolean watched = counts.underWay() > 0;
        if (watched && look(operation, now) instanceof Look look) {
            return look;
        }
        if (counts.pending() > 0) {
            RedriveDecision send = send(operation, operation.pace().stage(), Long.MAX_VALUE, now);
            Instant look = operation.pace().nextLook();
            return send instanceof Rest rest && watched && look.isBefore(rest.until()) ? new Rest(look) : send;
        }
        return watched ? look(operation, now) : new End(new RedriveState.Finished());
    }

    private static RedriveDecision waitForStage(RedriveOperation operation, Instant now) {
        RedriveDecision look = look(operation, now);
        Instant end = operation.pace().stageEnd();
        if (look instanceof Look) {
            return look;
        }
        if (!now.isBefore(end)) {
            return new End(new RedriveState.Halted(
                    operation.counts().underWay() + " events have not ended within "
                            + DurationText.format(operation.plan().stageLimit()),
                    Set.of()));
        }
        return new Rest(
                operation.pace().nextLook().isBefore(end) ? operation.pace().nextLook() : end);
    }

    private static RedriveDecision send(RedriveOperation operation, int stage, long left, Instant now) {
        RedrivePlan plan = operation.plan();
        Instant next = operation.pace().nextSend();
        return isDue(next, now, plan.timeFor(plan.portion()))
                ? new Send(stage, (int) Math.min(left, plan.portion()))
                : new Rest(next);
    }

    private static RedriveDecision look(RedriveOperation operation, Instant now) {
        Instant next = operation.pace().nextLook();
        return isDue(next, now, RedriveOperation.LOOK_EVERY) ? new Look(PAGE) : new Rest(next);
    }

    /** Also true when the clock was set back: {@code next} is further away than a period. */
    private static boolean isDue(Instant next, Instant now, Duration period) {
        return !now.isBefore(next) || now.plus(period).isBefore(next);
    }
}
