package io.redrive.pipeline;

import io.redrive.events.Event;

/** An {@link EventHandler} that gets the attempt number and history. Thread-safe. */
@FunctionalInterface
public interface ContextHandler {

    /** Handles {@code event} and returns its outcome; never null. */
    Outcome handle(Event event, EventContext context) throws Exception;
}
