package io.redrive.jdbc;

import io.redrive.events.Event;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/**
 * An event made of the readable parts of a row that breaks the rules of events: written by hand, by a restore, or by a
 * bug. Unreadable parts get a substitute. The row stays, and so do the bytes of its payload.
 */
final class UnreadableEvent {

    private static final String SUBSTITUTE = "unreadable";
    private static final int HEADER_COLUMN = 8;

    private Event event;

    private UnreadableEvent(String name, ResultSet row, long position) throws SQLException {
        event = Event.named(name)
                .id(SUBSTITUTE + "-" + position)
                .source(SUBSTITUTE)
                .created(Instant.EPOCH)
                .payload(EventRows.payload(row), SUBSTITUTE)
                .build();
    }

    /** Reads the columns of an event, 1 to 12; {@code position} becomes part of the id when the id cannot be read. */
    static Event salvage(ResultSet row, long position) throws SQLException {
        UnreadableEvent parts = named(row, position);
        parts.take(it -> it.id(row.getString(1)));
        parts.take(it -> it.correlationId(EventRows.nullIfEmpty(row.getString(2))));
        parts.take(it -> it.source(row.getString(4)));
        parts.take(it -> it.priority(EventRows.priority(row.getInt(5))));
        parts.take(it -> it.orderingKey(row.getString(6)));
        parts.take(it -> it.contentType(row.getString(7)));
        parts.take(it -> it.created(Micros.toInstant(row.getLong(9))));
        parts.take(it -> it.due(Micros.toInstant(row.getLong(10))));
        parts.take(it -> it.deadline(EventRows.instant(row, 11)));
        if (!parts.take(it -> it.headers(StringMapJson.read(row.getString(HEADER_COLUMN))))) {
            parts.take(it -> it.header(SUBSTITUTE + "-headers", cut(row.getString(HEADER_COLUMN))));
        }
        return parts.event;
    }

    private interface Part {
        Event.Builder into(Event.Builder builder) throws SQLException;
    }

    /** Returns false when the part breaks a rule. The substitute stays; the caller has logged the reason. */
    private boolean take(Part part) {
        try {
            event = part.into(event.toBuilder()).build();
            return true;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    private static UnreadableEvent named(ResultSet row, long position) throws SQLException {
        try {
            return new UnreadableEvent(row.getString(3), row, position);
        } catch (IllegalArgumentException e) {
            return new UnreadableEvent(SUBSTITUTE, row, position);
        }
    }

    private static String cut(String text) {
        return text.length() <= Event.MAX_HEADER_LENGTH ? text : text.substring(0, Event.MAX_HEADER_LENGTH);
    }
}
