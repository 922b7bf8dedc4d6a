package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row of the in-memory store. Only due time, lease and counters change. */
final class StoredEvent {

    /** The order of claiming within a priority. */
    static final Comparator<StoredEvent> OLDEST_DUE_FIRST = Comparator.<StoredEvent, Instant>comparing(
                    stored -> stored.due)
            .thenComparingLong(stored -> stored.position);

    final long position;
    final Event event;
    final Lineage lineage;
    /** Failed attempts of all lives, oldest first. */
    final List<AttemptRecord> history;

    private Instant due;
    private Attempts attempts = Attempts.NONE;
    private @Nullable Instant firstClaimed;
    private Duration lastDelay = Duration.ZERO;
    /** When a settlement last set the due time. */
    private Instant putOff = Instant.EPOCH;

    private Settlement.Snooze.Cause waitsBecause = Settlement.Snooze.Cause.ASKED;
    // Of the last claim.
    private long token;
    private String holder = "";
    private Instant leaseEnd = Instant.EPOCH;
    private Instant claimedAt = Instant.EPOCH;
    /** Whether the event waits for a retry. */
    private boolean backingOff;
    /** True once another claim of the same holder was recovered. */
    private boolean hadNeighbours;

    StoredEvent(long position, Event event, Instant due, Lineage lineage, List<AttemptRecord> history) {
        this.position = position;
        this.event = event;
        this.due = due;
        this.lineage = lineage;
        this.history = new ArrayList<>(history);
    }

    /** Returns the event of a log, with the attempts that it had there. */
    static StoredEvent adopted(long position, Adoption adoption, Instant now) {
        Claim claim = adoption.settlement().claim();
        StoredEvent stored = new StoredEvent(
                position, claim.event(), micros(adoption.due(now)), Lineage.FIRST_LIFE, adoption.failures());
        stored.attempts = adoption.attempts();
        stored.firstClaimed = micros(claim.firstClaimed());
        stored.lastDelay = adoption.lastDelay();
        stored.putOff = micros(adoption.putOff(now));
        stored.backingOff = adoption.settlement() instanceof Settlement.Retry;
        stored.waitsBecause = adoption.waitsBecause();
        return stored;
    }

    /**
     * The facts that an event keeps from its earlier lives as a dead letter.
     *
     * @param originalPayload the payload as published, if it was edited
     * @param redrives how often the event was redriven
     * @param automaticRedrives the number of automatic redrives among {@code redrives}
     * @param batch the batch of the last redrive, if any
     * @param origin the position of the first publication, 0 in the first life
     */
    record Lineage(
            Optional<byte[]> originalPayload,
            int redrives,
            int automaticRedrives,
            Optional<String> batch,
            long origin) {
        static final Lineage FIRST_LIFE = new Lineage(Optional.empty(), 0, 0, Optional.empty(), 0);
    }

    /** Like the durable stores, which keep microseconds. */
    static Instant micros(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns the position of the first publication. */
    long origin() {
        return lineage.origin() == 0 ? position : lineage.origin();
    }

    /** Returns true when no claim has taken the event, in this life or an earlier one. */
    boolean isUnbegun() {
        return firstClaimed == null && lineage.origin() == 0;
    }

    Instant due() {
        return due;
    }

    Attempts attempts() {
        return attempts;
    }

    boolean isSuspect() {
        return attempts.isSuspect();
    }

    boolean isDue(Instant now) {
        return !due.isAfter(now);
    }

    long token() {
        return token;
    }

    boolean isLeaseOver(Instant now) {
        return !leaseEnd.isAfter(now);
    }

    String holder() {
        return holder;
    }

    Instant leaseEnd() {
        return leaseEnd;
    }

    Instant claimedAt() {
        return claimedAt;
    }

    boolean isBackingOff() {
        return backingOff;
    }

    /** Returns when the due time was decided, for an event that a retry or a snooze put off. */
    Instant putOff() {
        return putOff;
    }

    /**
     * Claims the event. The claim gets its own copy of the event, as if read from a disk: no caller may compare event
     * objects.
     */
    Claim claim(long fence, String node, Instant until, Instant now) {
        token = fence;
        holder = node;
        leaseEnd = until;
        claimedAt = now;
        backingOff = false;
        hadNeighbours = false;
        waitsBecause = Settlement.Snooze.Cause.ASKED;
        if (firstClaimed == null) {
            firstClaimed = now;
        }
        return new Claim(
                event.toBuilder().build(), position, token, attempts, firstClaimed, lastDelay, lineage.redrives());
    }

    void extend(Instant until) {
        leaseEnd = until;
    }

    void failed(AttemptRecord attempt) {
        attempts = attempts.plusFailed();
        history.add(attempt);
    }

    void retryAt(Instant when, Duration delay) {
        due = when;
        lastDelay = delay;
        putOff = micros(when.minus(delay));
        backingOff = true;
    }

    void interrupted(Instant now) {
        attempts = attempts.plusInterrupted();
        due = now;
    }

    void snoozeUntil(Instant when, Settlement.Snooze.Cause why, Instant now) {
        due = when;
        putOff = now;
        waitsBecause = why;
    }

    /** Returns true when the event was put off for this cause and is not due yet. */
    boolean waits(Settlement.Snooze.Cause why, Instant now) {
        return waitsBecause == why && !isDue(now);
    }

    boolean hadNeighbours() {
        return hadNeighbours;
    }

    void markNeighbours() {
        hadNeighbours = true;
    }

    void crashed(Instant now) {
        attempts = attempts.plusCrashed();
        due = now;
    }
}
