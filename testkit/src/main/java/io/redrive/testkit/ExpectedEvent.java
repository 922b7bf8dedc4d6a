package io.redrive.testkit;

import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One life of an event in the {@link ExpectedStore}; a redrive begins the next life. */
final class ExpectedEvent {
    final Event event;
    /** The publication, and the earlier lives of the event as a letter. */
    final ExpectedLetters.Past past;

    final List<AttemptRecord> history;
    Instant due;
    /**
     * True once a claimer refused the name: from then on the event is claimed in turns with its queue, in no fixed
     * order.
     */
    boolean wasSetAside;

    Attempts attempts = Attempts.NONE;

    @Nullable
    Instant firstClaimed;

    Duration lastDelay = Duration.ZERO;
    /** Learned from the first claim; zero until then. */
    long position;

    /** Zero when no claim holds the event. */
    long token;

    String holder = "";
    Instant leaseEnd = Instant.EPOCH;

    /** True once another claim of the same process, which is gone, was recovered. */
    boolean hadNeighbours;

    ExpectedEvent(Event event, Instant due, ExpectedLetters.Past past, List<AttemptRecord> history) {
        this.event = event;
        this.due = due;
        this.past = past;
        this.history = new ArrayList<>(history);
    }

    boolean isClaimed() {
        return token != 0;
    }

    boolean isHeldBy(Claim claim) {
        return isClaimed() && position == claim.position() && token == claim.token();
    }

    void putBack(Instant when) {
        token = 0;
        due = when;
    }

    /** True when no claim has taken the event, in this life or an earlier one. */
    boolean isUnbegun() {
        return firstClaimed == null && past.redrives() == 0;
    }

    int rank() {
        return event.priority().ordinal();
    }
}
