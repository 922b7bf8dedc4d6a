package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A turn of a redrive operation: one step, in one transaction of the store. The transaction locks the operation, decides
 * from its stored state, moves letters and writes the new state, so that a process may die between any two turns, and
 * two processes cannot take the same turn.
 */
public sealed interface RedriveTurn {

    /** The longest time between two turns of an operation that has work. */
    Duration LONGEST_WAIT = Duration.ofMinutes(1);

    /**
     * An operation took a step.
     *
     * @param operation the operation after the step
     * @param sent the number of letters that became events again
     */
    record Taken(RedriveOperation operation, int sent) implements RedriveTurn {}

    /**
     * No operation is due.
     *
     * @param untilNext the time until one is, at most {@link #LONGEST_WAIT}
     */
    record Idle(Duration untilNext) implements RedriveTurn {}

    /**
     * The letters of an operation in its store, for one turn.
     *
     * @param <X> the failure of the store
     */
    interface Letters<X extends Exception> {

        /** Redrives the next pending letters, oldest first. */
        Sent send(int limit) throws X;

        /** Looks at events under way after this place, and notes the results of those that have ended. */
        Looked look(long after, int limit) throws X;
    }

    /**
     * Sent letters.
     *
     * @param letters letters that became events again
     * @param gone letters that no longer existed
     * @param upTo the highest letter of both
     */
    record Sent(int letters, int gone, long upTo) {}

    /**
     * The results of a look.
     *
     * @param seen events looked at
     * @param done events that were handled
     * @param deadAgain events that died again, by their causes
     * @param more true when further events follow
     * @param upTo where the next look continues
     */
    record Looked(int seen, int done, Map<String, Long> deadAgain, boolean more, long upTo) {}

    /** Takes a turn of this operation and returns the operation after the turn; called by stores, in a transaction. */
    static <X extends Exception> Taken take(RedriveOperation operation, Letters<X> letters, String node, Instant now)
            throws X {
        RedriveDecision decision = RedriveDecision.of(operation, now);
        RedriveOperation running = operation.by(node);
        if (decision instanceof RedriveDecision.Send send) {
            Sent sent = letters.send(send.letters());
            return new Taken(running.sent(send.stage(), sent, now), sent.letters());
        }
        if (decision instanceof RedriveDecision.Look look) {
            Looked looked = letters.look(operation.pace().lookedUpTo(), look.events());
            return new Taken(running.looked(looked, now), 0);
        }
        if (decision instanceof RedriveDecision.End end) {
            return new Taken(running.ended(end.state(), now), 0);
        }
        return new Taken(operation, 0);
    }

    /** Returns when the operation needs its next turn; empty when no turn has work. */
    static Optional<Instant> next(RedriveOperation operation, Instant now) {
        RedriveDecision decision = RedriveDecision.of(operation, now);
        if (decision instanceof RedriveDecision.Idle) {
            return Optional.empty();
        }
        Instant latest = now.plus(LONGEST_WAIT);
        Instant until = decision instanceof RedriveDecision.Rest rest ? rest.until() : now;
        return Optional.of(until.isAfter(latest) ? latest : until);
    }
}
