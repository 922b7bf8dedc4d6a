package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A row of the in-memory store. Only its due time, its lease and its counters ever change. */
final class StoredEvent {

    /** The order of claiming within a priority. */
    static final Comparator<StoredEvent> OLDEST_DUE_FIRST = Comparator.<StoredEvent, Instant>comparing(
                    stored -> stored.due)
            .thenComparingLong(stored -> stored.position);

    final long position;
    final Event event;
    final Lineage lineage;
    /** Failures of all its lives, oldest first. */
    final List<AttemptRecord> history;

    private Instant due;
    private Attempts attempts = Attempts.NONE;
    private Instant firstClaimed;
    private Duration lastDelay = Duration.ZERO;
    private Settlement.Snooze.Cause waitsBecause = Settlement.Snooze.Cause.ASKED;
    private long token;
    private String holder;
    private Instant leaseEnd;

    StoredEvent(long position, Event event, Instant due, Lineage lineage, List<AttemptRecord> history) {
        this.position = position;
        this.event = event;
        this.due = due;
        this.lineage = lineage;
        this.history = new ArrayList<>(history);
    }

    /**
     * What an event brings along from earlier lives as a dead letter.
     *
     * @param originalPayload the payload as published, when it was edited since
     * @param redrives how often it was brought back
     * @param automaticRedrives how many of those were automatic
     * @param batch the batch it was last redriven with, null when never
     * @param origin the position of its first publication, 0 when that is its own
     */
    record Lineage(Optional<byte[]> originalPayload, int redrives, int automaticRedrives, String batch, long origin) {
        static final Lineage FIRST_LIFE = new Lineage(Optional.empty(), 0, 0, null, 0);
    }

    /** The position of its first publication. */
    long origin() {
        return lineage.origin() == 0 ? position : lineage.origin();
    }

    /** True when no claim has taken it, in this life or an earlier one. */
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

    /** With an event of its own, as if it were read from a disk: nobody may tell claims by their event objects. */
    Claim claim(long fence, String node, Instant until, Instant now) {
        token = fence;
        holder = node;
        leaseEnd = until;
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
    }

    void interrupted(Instant now) {
        attempts = attempts.plusInterrupted();
        due = now;
    }

    void snoozeUntil(Instant when, Settlement.Snooze.Cause why) {
        due = when;
        waitsBecause = why;
    }

    /** True when it was put off for this cause and the time is not over. */
    boolean waits(Settlement.Snooze.Cause why, Instant now) {
        return waitsBecause == why && !isDue(now);
    }

    void crashed(Instant now) {
        attempts = attempts.plusCrashed();
        due = now;
    }
}
