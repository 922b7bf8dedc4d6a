package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An event lent to a worker. Only a settlement with the same {@code token} counts: once the lease has expired and
 * another worker has claimed the event, the old token is stale and changes nothing.
 *
 * @param event the event to handle
 * @param position the key of the event in the store, ascending in the order of publishing
 * @param token the fencing token
 * @param attempts the earlier attempts
 * @param firstClaimed when the event was first claimed, which is the start of a policy's {@code maxDuration}
 * @param lastDelay the wait before this claim if the claim is a retry, else zero
 * @param redrives how often an operator or the automatic redrive has redriven the event
 * @param deadline the event's deadline, if any, on the clock of the claiming node. A store with its own clock
 *     (PostgreSQL) adds the difference between the two clocks, so that a node may compare this instant with its own
 *     time; {@code event.deadline()} is the instant as published
 * @param unreadable why the store cannot read the event, for a row that breaks the rules of events. Such an event has
 *     substitutes for the unreadable parts and must be settled as dead with the reason {@code invalid_event}; the
 *     dead letter keeps the row unchanged
 */
public record Claim(
        Event event,
        long position,
        long token,
        Attempts attempts,
        Instant firstClaimed,
        Duration lastDelay,
        int redrives,
        Optional<Instant> deadline,
        Optional<String> unreadable) {

    /**
     * Creates the claim of a readable event in a store without its own clock: the deadline is the deadline of the
     * event.
     */
    public Claim(
            Event event,
            long position,
            long token,
            Attempts attempts,
            Instant firstClaimed,
            Duration lastDelay,
            int redrives) {
        this(event, position, token, attempts, firstClaimed, lastDelay, redrives, event.deadline(), Optional.empty());
    }

    /**
     * Returns true when this event was claimed by {@value Attempts#CRASHES_OF_A_SUSPECT} processes that died; such an
     * event travels in {@link Lane#SUSPECT}.
     */
    public boolean isSuspect() {
        return attempts.isSuspect();
    }

    /**
     * Returns true when the event must be handled alone, outside of batches, because it may have ended its process.
     */
    public boolean standsAlone() {
        return attempts.crashed() > 0 || attempts.interrupted() >= Attempts.INTERRUPTIONS_IN_BATCHES;
    }
}
