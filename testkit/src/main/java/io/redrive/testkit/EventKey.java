package io.redrive.testkit;

import io.redrive.events.Event;

/** What tells one event from another; an event without a correlation id has an empty one here. */
record EventKey(String id, String correlationId) {

    static EventKey of(Event event) {
        return new EventKey(event.id(), event.correlationId().orElse(""));
    }
}
