package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A stored redrive of dead letters, which any node carries on: an order, its frozen selection in numbers, and how far
 * the operation has come. Immutable; the methods that return another operation are for stores.
 *
 * @param command the operator, the origin and the letters in words; its id is the id of the operation and the batch of
 *     its events
 * @param plan how the letters are sent
 * @param state what the operation does now
 * @param counts the letters by their results
 * @param causes the causes of the selection, and the causes that returned
 * @param pace the stage, and when the next steps are due
 * @param times when the operation was created, started and ended
 * @param runner the node that took the last turn; empty before the first
 */
public record RedriveOperation(
        OperatorCommand command,
        RedrivePlan plan,
        RedriveState state,
        RedriveCounts counts,
        RedriveCauses causes,
        RedrivePace pace,
        RedriveTimes times,
        String runner) {

    /** Time between two looks for events that have ended. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /** A look that finds so many events of a page ended is followed by the next page at once. */
    private static final double WORTH_ANOTHER_LOOK = 0.1;

    /** Returns an operation whose selection is still empty. */
    public static RedriveOperation begun(RedriveOrder order, Instant now) {
        return new RedriveOperation(
                order.command(),
                order.plan(),
                new RedriveState.Selecting(),
                RedriveCounts.NONE,
                RedriveCauses.NONE,
                RedrivePace.BEGIN,
                RedriveTimes.begun(now),
                "");
    }

    /** Returns the id, which is also the batch of the redriven events. */
    public String id() {
        return command.id();
    }

    /** Returns true when the operation is running or paused, and has letters to send. */
    public boolean isSending() {
        return state.isActive() && counts.pending() > 0;
    }

    /** Returns the state and the progress in words, for the record of actions. */
    public String outcome() {
        return (plan.isCanary() ? "canary " : "") + stateInWords() + ", " + counts.redriven() + " of "
                + counts.selected();
    }

    /** Returns true when the record of actions has to be told: the state differs, or the last letter was sent. */
    public boolean hasNewsSince(RedriveOperation before) {
        return !stateInWords().equals(before.stateInWords());
    }

    private String stateInWords() {
        if (state instanceof RedriveState.Halted halted) {
            return halted.toString();
        }
        return state instanceof RedriveState.Running && counts.pending() == 0 ? "sent" : state.code();
    }

    /**
     * Returns the operation after more letters were added to its selection.
     *
     * @param complete true when no letter follows: the selection is frozen
     */
    public RedriveOperation selected(Map<String, Long> letters, boolean complete, Instant now) {
        long added = letters.values().stream().mapToLong(Long::longValue).sum();
        return new RedriveOperation(
                command,
                plan,
                complete ? new RedriveState.Previewed() : state,
                counts.plusSelected(added),
                causes.plusSelected(letters),
                pace,
                times.changedAt(now),
                runner);
    }

    RedriveOperation startedBy(OperatorCommand by, Instant now) {
        OperatorCommand own = new OperatorCommand(command.id(), by.operator(), by.origin(), command.about());
        RedriveOperation running = new RedriveOperation(
                own, plan, new RedriveState.Running(), counts, causes, pace, times.startedAt(now), runner);
        return counts.selected() == 0 ? running.ended(new RedriveState.Finished(), now) : running;
    }

    RedriveOperation paused(Instant now) {
        return with(new RedriveState.Paused(), times.changedAt(now));
    }

    /** The events of the stage get their whole time again: pauses do not count. */
    RedriveOperation resumed(Instant now) {
        RedriveOperation running = with(new RedriveState.Running(), times.changedAt(now));
        return running.with(counts, causes, pace.withStageEnd(now.plus(plan.stageLimit())), times.changedAt(now));
    }

    RedriveOperation ended(RedriveState state, Instant now) {
        return with(state, times.endedAt(now));
    }

    RedriveOperation sent(int stage, RedriveTurn.Sent sent, Instant now) {
        long before = stage == pace.stage() ? pace.sentInStage() : 0;
        RedrivePace next = new RedrivePace(
                stage,
                before + sent.letters(),
                now.plus(plan.stageLimit()),
                now.plus(plan.timeFor(sent.letters())),
                counts.underWay() == 0 ? now.plus(LOOK_EVERY) : pace.nextLook(),
                sent.upTo(),
                pace.lookedUpTo());
        return with(counts.plusSent(sent.letters(), sent.gone()), causes, next, times.changedAt(now));
    }

    RedriveOperation looked(RedriveTurn.Looked looked, Instant now) {
        long dead =
                looked.deadAgain().values().stream().mapToLong(Long::longValue).sum();
        boolean again = looked.more() && looked.done() + dead >= looked.seen() * WORTH_ANOTHER_LOOK;
        // A clock that was set back must not prolong the stage by the jump.
        Instant latest = now.plus(plan.stageLimit());
        RedrivePace next = pace.withLook(
                        again ? now : now.plus(LOOK_EVERY), looked.more() ? looked.upTo() : RedrivePace.FIRST)
                .withStageEnd(pace.stageEnd().isAfter(latest) ? latest : pace.stageEnd());
        boolean news = looked.done() + dead > 0;
        return with(
                counts.plusEnded(looked.done(), dead),
                causes.plusReturned(looked.deadAgain()),
                next,
                news ? times.changedAt(now) : times);
    }

    RedriveOperation by(String node) {
        return new RedriveOperation(command, plan, state, counts, causes, pace, times, node);
    }

    private RedriveOperation with(RedriveState next, RedriveTimes at) {
        return new RedriveOperation(command, plan, next, counts, causes, pace, at, runner);
    }

    private RedriveOperation with(RedriveCounts then, RedriveCauses found, RedrivePace next, RedriveTimes at) {
        return new RedriveOperation(command, plan, state, then, found, next, at, runner);
    }
}
