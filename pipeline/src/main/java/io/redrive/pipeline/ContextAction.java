package io.redrive.pipeline;

import io.redrive.events.Event;

/** An {@link EventAction} that is told which attempt this is. Thread-safe. */
@FunctionalInterface
public interface ContextAction {

    /** Handles {@code event}. */
    void handle(Event event, EventContext context) throws Exception;
}
