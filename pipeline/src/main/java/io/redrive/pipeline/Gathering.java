package io.redrive.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Lets settlements wait a moment for further settlements: a transaction of the store costs the same for one settlement as for
 * ten. Used by the coordinator alone.
 */
final class Gathering {

    /** How long the first settlement waits for further settlements. */
    static final Duration LONGEST = Duration.ofMillis(10);

    private Instant until = Instant.MAX;
    /** The time of the last step that waited. */
    private Instant looked = Instant.MIN;

    /** Returns true while settlements wait. */
    boolean isWaiting() {
        return !until.equals(Instant.MAX);
    }

    /** Returns when the waiting settlements must be written; the far future while none wait. */
    Instant until() {
        return until;
    }

    /**
     * Begins to wait, or goes on waiting. Returns false when the wait is over, when the settlements are a full load, and when an
     * event has an ordering key: the next event of the key may wait for the settlement.
     */
    boolean waits(List<ClaimEnd> settling, int fullLoad, Instant now) {
        return !settling.isEmpty() && settling.size() < fullLoad && !haveKey(settling) && waits(now);
    }

    private static boolean haveKey(List<ClaimEnd> settling) {
        for (ClaimEnd end : settling) {
            if (end.settlement().claim().event().orderingKey().isPresent()) {
                return true;
            }
        }
        return false;
    }

    private boolean waits(Instant now) {
        // A clock that was set back must not prolong the wait, and the clock of a test may stand still.
        boolean begun = isWaiting() && !until.isAfter(now.plus(LONGEST));
        boolean standing = isWaiting() && now.equals(looked);
        until = begun ? until : now.plus(LONGEST);
        looked = now;
        return now.isBefore(until) && !standing;
    }

    void end() {
        until = Instant.MAX;
    }
}
