package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An event lent to a worker. Only a settlement that carries the same {@code token} counts; once the lease has expired and
 * somebody else claimed the event, this token is stale and changes nothing.
 *
 * @param event what to handle
 * @param position where the store keeps it; ascending in the order of publishing
 * @param token the fence
 * @param attempts how often it was tried before
 * @param firstClaimed when it was first claimed (now, for a first claim): the start of a policy's {@code maxDuration}
 * @param lastDelay the wait before this claim when it is a retry, else zero
 * @param redrives how often an operator or the automatic redrive brought it back
 * @param deadline the event's deadline on the clock of the node that claimed the event, if the event has one. A store with a
 *     clock of its own (PostgreSQL) adds the difference between the two clocks, so that a node may compare this instant with
 *     its own time; {@code event.deadline()} is the instant as published
 * @param unreadable why the store cannot read the event, if it cannot: its row breaks the rules of events. The event then has
 *     substitutes for the parts that cannot be read, and is to be settled as dead with the reason {@code invalid_event}; the
 *     dead letter keeps the row as it is
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

    /** A readable event in a store that has no clock of its own: the deadline is the one of the event. */
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

    /** True for an event that was in two processes when they died: it travels in {@link Lane#SUSPECT}. */
    public boolean isSuspect() {
        return attempts.isSuspect();
    }

    /** True for an event that is handled by itself and not in a batch, since it may be what ended its process. */
    public boolean standsAlone() {
        return attempts.crashed() > 0 || attempts.interrupted() >= Attempts.INTERRUPTIONS_IN_BATCHES;
    }
}
