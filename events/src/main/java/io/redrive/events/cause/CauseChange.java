package io.redrive.events.cause;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** A change that an operator makes to the care of a cause. Pure: a store may apply a change twice before it commits. */
public sealed interface CauseChange {

    /** Returns the care of {@code cause} after this change. */
    Care applyTo(Cause cause, Instant now);

    /** Returns the verb of the change, for the record of actions: assign, note, resolve, ignore or reopen. */
    String action();

    /** Returns the change in words, for the record of actions: {@code resolved, fixed in 2.4}. */
    String describe();

    /**
     * Names the owner. An ignored or resolved cause becomes open.
     *
     * @param owner the person who works on the cause; empty to leave the cause to anybody
     */
    record Assign(String owner) implements CauseChange {
        @Override
        public Care applyTo(Cause cause, Instant now) {
            Care care = cause.care();
            return new Care(Stance.OPEN, owner.strip(), care.note(), care.ticket());
        }

        @Override
        public String action() {
            return "assign";
        }

        @Override
        public String describe() {
            return owner.isBlank() ? "assigned to nobody" : "assigned to " + owner.strip();
        }
    }

    /**
     * Replaces the note.
     *
     * @param text the new note; empty to remove the note
     */
    record Annotate(String text) implements CauseChange {
        @Override
        public Care applyTo(Cause cause, Instant now) {
            Care care = cause.care();
            return new Care(care.stance(), care.owner(), text.strip(), care.ticket());
        }

        @Override
        public String action() {
            return "note";
        }

        @Override
        public String describe() {
            return text.isBlank() ? "note removed" : "note of " + text.strip().length() + " characters";
        }
    }

    /**
     * Replaces the link to a ticket.
     *
     * @param link the new link; empty to remove the link
     */
    record LinkTicket(String link) implements CauseChange {
        @Override
        public Care applyTo(Cause cause, Instant now) {
            Care care = cause.care();
            return new Care(care.stance(), care.owner(), care.note(), link.strip());
        }

        @Override
        public String action() {
            return "note";
        }

        @Override
        public String describe() {
            return link.isBlank() ? "ticket removed" : "ticket " + link.strip();
        }
    }

    /**
     * Calls the cause resolved.
     *
     * @param fixedIn the version of the service with the fix; empty when the fix is not in the service
     */
    record Resolve(Optional<ServiceVersion> fixedIn) implements CauseChange {
        @Override
        public Care applyTo(Cause cause, Instant now) {
            Care care = cause.care();
            return new Care(new Stance.Resolved(now, fixedIn), care.owner(), care.note(), care.ticket());
        }

        @Override
        public String action() {
            return "resolve";
        }

        @Override
        public String describe() {
            return "resolved" + fixedIn.map(version -> ", fixed in " + version).orElse("");
        }
    }

    /**
     * Silences the cause.
     *
     * @param until open again from this time on; empty for no end by time
     * @param letters open again after this many more letters; empty for no end by number
     */
    record Ignore(Optional<Instant> until, OptionalLong letters) implements CauseChange {

        /**
         * Checks the number of letters.
         *
         * @throws IllegalArgumentException when the number is below 1
         */
        public Ignore {
            if (letters.isPresent() && letters.getAsLong() < 1) {
                throw new IllegalArgumentException("letters must be at least 1, got " + letters.getAsLong());
            }
        }

        @Override
        public Care applyTo(Cause cause, Instant now) {
            if (until.isPresent() && !until.get().isAfter(now)) {
                throw new IllegalArgumentException("until must be in the future, got " + until.get());
            }
            Care care = cause.care();
            return new Care(new Stance.Ignored(until, letters, cause.seen()), care.owner(), care.note(), care.ticket());
        }

        @Override
        public String action() {
            return "ignore";
        }

        @Override
        public String describe() {
            String date = until.map(end -> " until " + end).orElse("");
            String number = letters.isPresent() ? " until " + letters.getAsLong() + " more letters" : "";
            return "ignored" + date + (date.isEmpty() || number.isEmpty() ? number : " or" + number);
        }
    }

    /** Opens the cause again, for its owner if there is one. */
    record Reopen() implements CauseChange {
        @Override
        public Care applyTo(Cause cause, Instant now) {
            Care care = cause.care();
            return new Care(Stance.OPEN, care.owner(), care.note(), care.ticket());
        }

        @Override
        public String action() {
            return "reopen";
        }

        @Override
        public String describe() {
            return "reopened";
        }
    }
}
