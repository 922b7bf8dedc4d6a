package io.redrive.jdbc;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import java.util.List;

/**
 * Limits of stored events.
 *
 * @param maxPayload limit of bytes in the payload of one event
 */
record PublishLimits(int maxPayload) {

    /** Rough size of a row without its payload, to limit memory. */
    private static final int ROW_BYTES = 500;

    /**
     * Refuses events beyond a limit before any event is stored.
     *
     * @throws IllegalArgumentException when the events are too many or a payload is too large
     */
    void require(List<Event> events) {
        if (events.size() > EventStore.MAX_PUBLISH) {
            throw new IllegalArgumentException("publish takes at most " + EventStore.MAX_PUBLISH
                    + " events at once, got " + events.size() + "; publish them in several calls");
        }
        for (Event event : events) {
            // The text of the subject is made for the message alone: most events are within the limit.
            if (event.payloadSize() > maxPayload) {
                requirePayload(event.payloadSize(), "event " + event);
            }
        }
    }

    void requirePayload(int size, String subject) {
        if (size > maxPayload) {
            throw new IllegalArgumentException("payload must be at most " + maxPayload + " bytes, got " + size + " in "
                    + subject + "; keep large data elsewhere and publish a reference, or raise maxPayload");
        }
    }

    static long bytes(List<Event> events) {
        long bytes = 0;
        for (Event event : events) {
            bytes += event.payloadSize() + ROW_BYTES;
        }
        return bytes;
    }
}
