package io.redrive.pipeline;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Which attempt at an event this is, for handlers that want to know.
 *
 * @param attempts the attempts before this one: failed, interrupted by a stop, ended by a crash
 * @param redrives how often an operator or the automatic redrive has brought the event back from the dead letters
 * @param firstClaimed when the first attempt began: the start of a policy's {@code maxDuration}
 * @param lastDelay the wait before this attempt when it is a retry, else zero
 * @param deadline when the event is not to be handled any more, if it has a deadline
 */
public record EventContext(
        Attempts attempts, int redrives, Instant firstClaimed, Duration lastDelay, Optional<Instant> deadline) {

    static EventContext of(Claim claim) {
        return new EventContext(
                claim.attempts(), claim.redrives(), claim.firstClaimed(), claim.lastDelay(), claim.deadline());
    }

    /** The number of this attempt, from 1; interruptions and crashes use up no attempt. */
    public int attempt() {
        return attempts.current();
    }
}
