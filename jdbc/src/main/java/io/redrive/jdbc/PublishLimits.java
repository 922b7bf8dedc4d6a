package io.redrive.jdbc;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import java.util.List;

/**
 * What may be stored.
 *
 * @param maxPayload bytes of payload allowed in one event
 */
record PublishLimits(int maxPayload) {

    /** What a row needs beside its payload, roughly; for bounds of memory. */
    private static final int ROW_BYTES = 500;

    /** Refuses what cannot be stored, before anything is. */
    void require(List<Event> events) {
        if (events.size() > EventStore.MAX_PUBLISH) {
            throw new IllegalArgumentException("publish takes at most " + EventStore.MAX_PUBLISH
                    + " events at once, got " + events.size() + "; publish them in several calls");
        }
        for (Event event : events) {
            requirePayload(event.payloadSize(), "event " + event);
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
