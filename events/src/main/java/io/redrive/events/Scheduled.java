package io.redrive.events;

import java.time.Instant;
import java.util.Optional;

/**
 * An event that is not due yet and that no claim has taken.
 *
 * @param event the event
 * @param position the key of the event in the store
 */
public record Scheduled(Event event, long position) {

    /** Returns true when a list shows this event after {@code other}. */
    boolean isBehind(Scheduled other) {
        int byDue = event.due().compareTo(other.event.due());
        return byDue > 0 || byDue == 0 && position > other.position;
    }

    /**
     * Selects scheduled events; an empty field does not restrict. {@code Scheduled.Filter.ALL.withName("mail.*")}.
     *
     * @param name event name or pattern
     * @param dueBefore due before this time
     * @param after the last event of the previous page
     */
    public record Filter(Optional<NamePattern> name, Optional<Instant> dueBefore, Optional<Scheduled> after) {

        /** Selects every scheduled event. */
        public static final Filter ALL = new Filter(Optional.empty(), Optional.empty(), Optional.empty());

        /** Returns this filter, also restricted to this name or pattern. */
        public Filter withName(String pattern) {
            return new Filter(Optional.of(new NamePattern(pattern)), dueBefore, after);
        }

        /** Returns this filter, also restricted to events due before this time. */
        public Filter withDueBefore(Instant moment) {
            return new Filter(name, Optional.of(moment), after);
        }

        /** Returns this filter for the page after this event. */
        public Filter after(Scheduled last) {
            return new Filter(name, dueBefore, Optional.of(last));
        }
    }
}
