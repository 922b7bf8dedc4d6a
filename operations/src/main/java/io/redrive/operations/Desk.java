package io.redrive.operations;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorCommand;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.ShownLetters;
import io.redrive.pipeline.ThresholdsInForce;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Checks the role and writes the record of actions, for all parts of the facade. Each public method of a part begins with {@link
 * #read()} or {@link #command}.
 */
record Desk(EventStore store, Operator operator, Time time, Redaction redaction, ThresholdsInForce thresholds) {

    /**
     * Returns the store, for a look.
     *
     * @throws NotPermittedException when the operator may not look
     */
    EventStore read() {
        return permitted(Verb.READ);
    }

    /**
     * Returns the store, for a change that the caller records.
     *
     * @throws NotPermittedException when the role of the operator does not include the verb
     */
    EventStore permitted(Verb verb) {
        if (!operator.role().allows(verb)) {
            throw new NotPermittedException(operator, verb);
        }
        return store;
    }

    /**
     * Returns a new command of this operator; all changes under the command are one row in the record of actions.
     *
     * @param about what the command changes, in words, without what patterns redact; when empty, the store describes the filter of the first change
     * @throws NotPermittedException when the role of the operator does not include the verb
     */
    OperatorCommand command(Verb verb, String about) {
        permitted(verb);
        return new OperatorCommand(
                verb.code() + "-" + UUID.randomUUID(), operator.name(), operator.origin(), redaction.text(about));
    }

    /** Records a change that the store itself does not record. */
    void record(OperatorCommand command, Verb verb, String outcome) {
        store.deadLetters().record(command, verb.code(), outcome, now());
    }

    /** Returns the view of letters that the operator sees. */
    ShownLetters shown() {
        return new ShownLetters(store.deadLetters(), redaction);
    }

    /** Returns a time for a text that people read, in whole seconds. */
    static Instant inSeconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    Instant now() {
        return time.now();
    }
}
