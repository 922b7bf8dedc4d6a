package io.redrive.events;

import java.time.Instant;
import java.util.Optional;

/**
 * An event that is not due yet and that nobody has begun.
 *
 * @param event the event
 * @param position where the store keeps it
 */
public record Scheduled(Event event, long position) {

    /**
     * Selects scheduled events; what is empty does not restrict. {@code Scheduled.Filter.ALL.withName("mail.*")}.
     *
     * @param name event name or pattern
     * @param dueBefore due before
     * @param after the last event of the page before this one
     */
    public record Filter(Optional<NamePattern> name, Optional<Instant> dueBefore, Optional<Scheduled> after) {

        /** Every scheduled event. */
        public static final Filter ALL = new Filter(Optional.empty(), Optional.empty(), Optional.empty());

        /** Also restricted to this name or pattern. */
        public Filter withName(String pattern) {
            return new Filter(Optional.of(new NamePattern(pattern)), dueBefore, after);
        }

        /** Also restricted to events that are due before this moment. */
        public Filter withDueBefore(Instant moment) {
            return new Filter(name, Optional.of(moment), after);
        }

        /** The page behind this event. */
        public Filter after(Scheduled last) {
            return new Filter(name, dueBefore, Optional.of(last));
        }
    }
}
