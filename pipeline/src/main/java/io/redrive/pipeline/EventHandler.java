package io.redrive.pipeline;

import io.redrive.events.Event;

/**
 * Handles one event and returns its outcome. An exception is a failure, and the policy decides whether to retry.
 * Thread-safe.
 */
@FunctionalInterface
public interface EventHandler {

    /** Handles {@code event} and returns its outcome; never null. */
    Outcome handle(Event event) throws Exception;
}
