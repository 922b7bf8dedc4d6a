package io.redrive.events;

import java.time.Instant;

/**
 * How far a redrive operation has come, and when its next steps are due. Kept in the store, so that any node carries an
 * operation on exactly where another node left it.
 *
 * @param stage the number of the current stage, from 0
 * @param sentInStage letters sent in the current stage
 * @param stageEnd when the events of the current stage have to be over, counted from its last letter
 * @param nextSend when the plan's rate allows the next letter
 * @param nextLook when to look next for events that have ended
 * @param sentUpTo the highest letter that was sent or found gone
 * @param lookedUpTo where the next look begins
 */
public record RedrivePace(
        int stage,
        long sentInStage,
        Instant stageEnd,
        Instant nextSend,
        Instant nextLook,
        long sentUpTo,
        long lookedUpTo) {

    /** The begin of a look over all events under way. */
    public static final long FIRST = Long.MIN_VALUE;

    /** Nothing was sent yet. */
    public static final RedrivePace BEGIN =
            new RedrivePace(0, 0, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, FIRST, FIRST);

    RedrivePace withStageEnd(Instant end) {
        return new RedrivePace(stage, sentInStage, end, nextSend, nextLook, sentUpTo, lookedUpTo);
    }

    RedrivePace withLook(Instant next, long from) {
        return new RedrivePace(stage, sentInStage, stageEnd, nextSend, next, sentUpTo, from);
    }
}
