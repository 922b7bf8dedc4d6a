package io.redrive.events;

import java.util.Collection;
import java.util.List;

/**
 * Limits of events in the in-memory store.
 *
 * @param maxPayload the most bytes of a payload
 */
record InMemoryLimits(int maxPayload) {

    InMemoryLimits {
        if (maxPayload < 1) {
            throw new IllegalArgumentException("maxPayload must be at least 1 byte, got " + maxPayload);
        }
    }

    /** Refuses a publish call beyond a limit. */
    void requirePublishable(List<Event> events) {
        if (events.size() > EventStore.MAX_PUBLISH) {
            throw new IllegalArgumentException(
                    "publish takes at most " + EventStore.MAX_PUBLISH + " events at once, got " + events.size());
        }
        requirePayloads(events);
    }

    void requirePayloads(Collection<Event> events) {
        for (Event event : events) {
            if (event.payloadSize() > maxPayload) {
                throw new IllegalArgumentException("payload must be at most " + maxPayload + " bytes, got "
                        + event.payloadSize() + " in event " + event);
            }
        }
    }
}
