package io.redrive.pipeline;

import io.redrive.events.Event;

/** Handles one event and says what became of it; an exception is a failure that the policy decides on. Thread-safe. */
@FunctionalInterface
public interface EventHandler {

    /** Handles {@code event} and says what became of it; never null. */
    Outcome handle(Event event) throws Exception;
}
