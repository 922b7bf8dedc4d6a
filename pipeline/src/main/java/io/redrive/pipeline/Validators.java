package io.redrive.pipeline;

import io.redrive.events.Event;
import io.redrive.events.NamePattern;
import java.util.ArrayList;
import java.util.List;

/**
 * Validators by name pattern; an event passes all validators whose pattern fits its name. Immutable once the pipeline
 * is built.
 */
final class Validators {

    private final List<Rule> rules = new ArrayList<>();

    private record Rule(NamePattern pattern, EventAction validator) {}

    /** Wraps the exception of a validator, to tell a refused event from a failed handler. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        private final Throwable error;

        Refusal(Throwable error) {
            super(null, error, false, false);
            this.error = error;
        }

        /** Returns the exception of the validator. */
        Throwable error() {
            return error;
        }
    }

    void add(String pattern, EventAction validator) {
        rules.add(new Rule(new NamePattern(pattern), validator));
    }

    /** Returns true when a validator is registered for this event's name. */
    boolean concern(Event event) {
        // Most pipelines have no validators, and every event passes here.
        return !rules.isEmpty()
                && rules.stream().anyMatch(rule -> rule.pattern().matches(event.name()));
    }

    /** Asks the validators that fit the event's name, in the order of registration, until one refuses. */
    void check(Event event) throws Refusal, InterruptedException {
        for (Rule rule : rules) {
            if (rule.pattern().matches(event.name())) {
                try {
                    rule.validator().handle(event);
                } catch (Exception | Error refused) {
                    throw new Refusal(refused);
                }
                if (Thread.interrupted()) {
                    // Interrupted by the time limit or a stop: the handler must not begin.
                    throw new InterruptedException("interrupted while validators looked at the event");
                }
            }
        }
    }
}
