package io.redrive.pipeline;

import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The attempt at an event, for handlers that ask.
 *
 * @param attempts the attempts before this one: failed, interrupted by a stop, ended by a crash
 * @param redrives how often an operator or the automatic redrive has brought the event back from the dead letters
 * @param firstClaimed when the first attempt began: the start of a policy's {@code maxDuration}
 * @param lastDelay the wait before this attempt when the attempt is a retry, else zero
 * @param deadline when the event must not be handled any more; empty without a deadline
 * @param isStored true when the event is in the store; false for a record of a log, for example of a Kafka topic, that no failure has
 *     brought into the store
 */
public record EventContext(
        Attempts attempts,
        int redrives,
        Instant firstClaimed,
        Duration lastDelay,
        Optional<Instant> deadline,
        boolean isStored) {

    static EventContext of(Claim claim) {
        return new EventContext(
                claim.attempts(),
                claim.redrives(),
                claim.firstClaimed(),
                claim.lastDelay(),
                claim.deadline(),
                claim.position() >= 0);
    }

    /** Returns the number of this attempt, from 1. Interruptions and crashes use up no attempt. */
    public int attempt() {
        return attempts.current();
    }
}
