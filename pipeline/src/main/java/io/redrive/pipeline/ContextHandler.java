package io.redrive.pipeline;

import io.redrive.events.Event;

/** An {@link EventHandler} that is told which attempt this is. Thread-safe. */
@FunctionalInterface
public interface ContextHandler {

    /** Handles {@code event} and says what became of it; never null. */
    Outcome handle(Event event, EventContext context) throws Exception;
}
