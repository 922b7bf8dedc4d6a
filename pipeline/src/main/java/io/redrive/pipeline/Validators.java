package io.redrive.pipeline;

import io.redrive.events.Event;
import io.redrive.events.NamePattern;
import java.util.ArrayList;
import java.util.List;

/** Validators by name pattern; an event passes all that fit its name. Immutable once the pipeline is built. */
final class Validators {

    private final List<Rule> rules = new ArrayList<>();

    private record Rule(NamePattern pattern, EventAction validator) {}

    /** Thrown around whatever a validator throws, which tells a refused event from one that its handler fails. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        Refusal(Throwable cause) {
            super(null, cause, false, false);
        }
    }

    void add(String pattern, EventAction validator) {
        rules.add(new Rule(new NamePattern(pattern), validator));
    }

    /** True when a validator looks at events of this name. */
    boolean concern(Event event) {
        // Most pipelines have no validators, and every event asks.
        return !rules.isEmpty()
                && rules.stream().anyMatch(rule -> rule.pattern().matches(event.name()));
    }

    /** Asks every validator that fits the event's name, in the order they were given, until one refuses. */
    void check(Event event) throws Refusal, InterruptedException {
        for (Rule rule : rules) {
            if (rule.pattern().matches(event.name())) {
                try {
                    rule.validator().handle(event);
                } catch (Exception | Error refused) {
                    throw new Refusal(refused);
                }
                if (Thread.interrupted()) {
                    // The time limit, or a stop: the handler must not begin.
                    throw new InterruptedException("interrupted while validators looked at the event");
                }
            }
        }
    }
}
