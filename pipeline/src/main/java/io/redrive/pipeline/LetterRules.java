package io.redrive.pipeline;

import io.redrive.events.CauseGrouping;
import io.redrive.events.Event;
import io.redrive.events.redaction.Redaction;

/**
 * The user's rules for letters: the values that they lose, and the causes that they belong to.
 *
 * @param redaction the values that must not be seen
 * @param causes how causes are split and joined
 */
record LetterRules(Redaction redaction, CauseGrouping causes) {

    static final LetterRules NONE = new LetterRules(Redaction.NONE, CauseGrouping.NONE);

    /** Returns the redaction of stored values; empty when values are only redacted before they are shown. */
    Redaction stored() {
        return redaction.forStorage();
    }

    /** Returns the fingerprint of a failure. Values of the event become part of it, so no mode lets secrets pass. */
    String fingerprint(String errorType, String message, Event event) {
        return causes.fingerprint(errorType, message, causes.isEmpty() ? event : redaction.event(event));
    }
}
