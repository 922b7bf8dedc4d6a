package io.redrive.pipeline;

import io.redrive.events.Event;

/** An {@link EventAction} that gets the attempt number and history. Thread-safe. */
@FunctionalInterface
public interface ContextAction {

    /** Handles {@code event}. */
    void handle(Event event, EventContext context) throws Exception;
}
