package io.redrive.pipeline;

import io.redrive.events.Event;

/** Handles one event: done when the action returns, failed when it throws. Thread-safe. */
@FunctionalInterface
public interface EventAction {

    /** Handles {@code event}. */
    void handle(Event event) throws Exception;
}
