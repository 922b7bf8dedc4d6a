package io.redrive.testkit;

import io.redrive.events.Event;

/** The identity of an event; the correlation id is empty for an event without one. */
record EventKey(String id, String correlationId) {

    static EventKey of(Event event) {
        return new EventKey(event.id(), event.correlationId().orElse(""));
    }
}
