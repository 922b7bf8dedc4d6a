package io.redrive.kafka;

import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A delivered record in the book of its partition. Guarded by the book's owner. */
final class BookedRecord {

    /** Where a record is. */
    enum State {
        /** Waits for a claim. */
        READY,
        /** Waits for an earlier record of its key, or for the stored events of its key. */
        BEHIND_KEY,
        /** Lent to the pipeline. */
        CLAIMED,
        /** Waits in memory for its next attempt. */
        HELD,
        /** Done, or kept by the store. */
        FINISHED
    }

    final long offset;
    final PartitionBook book;
    private final @Nullable Event event;
    private final @Nullable String unreadable;
    private final int size;
    private State state = State.READY;
    private Attempts attempts = Attempts.NONE;
    private List<AttemptRecord> history = List.of();
    private @Nullable Instant firstClaimed;
    private Duration lastDelay = Duration.ZERO;
    private Instant due = Instant.MIN;

    BookedRecord(PartitionBook book, long offset, @Nullable Event event, @Nullable String unreadable) {
        this.book = book;
        this.offset = offset;
        this.event = event;
        this.unreadable = unreadable;
        size = event == null ? 0 : sizeOf(event);
    }

    /** A record that an earlier owner finished. */
    static BookedRecord finishedBefore(PartitionBook book, long offset) {
        BookedRecord record = new BookedRecord(book, offset, null, null);
        record.state = State.FINISHED;
        return record;
    }

    Event event() {
        if (event == null) {
            throw new IllegalStateException("the record at offset " + offset + " is finished and has no event");
        }
        return event;
    }

    @Nullable
    String key() {
        return event == null ? null : event.orderingKey().orElse(null);
    }

    Lane lane() {
        return Lane.CRITICAL.priorities().contains(event().priority()) ? Lane.CRITICAL : Lane.DOMAIN;
    }

    /** Returns true for a record that breaks the rules of events: no handler gets it, so its name and its crashes count for nothing. */
    boolean isUnreadable() {
        return unreadable != null;
    }

    /** Returns the bytes of value, key and headers, about: a character of a header counts as a byte. */
    int size() {
        return size;
    }

    private static int sizeOf(Event event) {
        int size = event.payloadSize();
        for (Map.Entry<String, String> header : event.headers().entrySet()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    State state() {
        return state;
    }

    void become(State next) {
        state = next;
    }

    Attempts attempts() {
        return attempts;
    }

    void attempts(Attempts counted) {
        attempts = counted;
    }

    /** Forgets the crashes. */
    void acquit() {
        attempts = new Attempts(attempts.failed(), attempts.interrupted(), 0);
    }

    List<AttemptRecord> history() {
        return history;
    }

    void failed(AttemptRecord attempt, Duration delay) {
        attempts = attempts.plusFailed();
        List<AttemptRecord> longer = new ArrayList<>(history);
        longer.add(attempt);
        history = longer;
        lastDelay = delay;
    }

    Instant due() {
        return due;
    }

    void due(Instant when) {
        due = when;
    }

    /** Lends the record. The position is the same at each claim of the record in this process. */
    Claim claim(long position, long token, Instant now) {
        if (firstClaimed == null) {
            firstClaimed = now;
        }
        Event lent = event();
        return new Claim(
                lent,
                position,
                token,
                attempts,
                firstClaimed,
                lastDelay,
                0,
                lent.deadline(),
                Optional.ofNullable(unreadable));
    }
}
