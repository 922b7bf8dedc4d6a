package io.redrive.events;

import java.util.Locale;

/**
 * A letter in the selection of a redrive operation.
 *
 * @param letter the id of the letter
 * @param eventId the id of its event
 * @param result what became of the letter
 * @param cause the fingerprint of the event's new death; empty unless the event died again
 */
public record RedrivenLetter(long letter, String eventId, Result result, String cause) {

    /** What became of a selected letter. Stores keep the ordinal. */
    public enum Result {
        /** Not sent yet. */
        PENDING,
        /** The event is ready again and has not ended. */
        REDRIVEN,
        /** The event was handled. */
        DONE,
        /** The event became a dead letter again. */
        DEAD_AGAIN,
        /** Another command had redriven or purged the letter. */
        GONE;

        /** Returns the result as programs name it. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
