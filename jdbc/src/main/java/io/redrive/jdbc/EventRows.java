package io.redrive.jdbc;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts rows to events, claims, letters and attempts, and back. The columns of an event come first and in the same
 * order, in every query.
 */
final class EventRows {

    private static final Priority[] PRIORITIES = Priority.values();
    private static final int EVENT_COLUMNS = 12;
    private static final int PAYLOAD_COLUMN = 12;
    private static final Logger LOG = System.getLogger(EventRows.class.getName());
    /** Column of {@link LetterSql#HISTORY} with the origin of the attempt's event. */
    static final int ATTEMPT_ORIGIN = 9;

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private EventRows() {}

    /** Reads columns 1 to 12. */
    static Event event(ResultSet row) throws SQLException {
        return Event.named(row.getString(3))
                .id(row.getString(1))
                .correlationId(nullIfEmpty(row.getString(2)))
                .source(row.getString(4))
                .priority(priority(row.getInt(5)))
                .orderingKey(row.getString(6))
                .headers(StringMapJson.read(row.getString(8)))
                .created(Micros.toInstant(row.getLong(9)))
                .due(Micros.toInstant(row.getLong(10)))
                .deadline(instant(row, 11))
                .payload(payload(row), row.getString(7))
                .build();
    }

    /** An event, and the reason when parts of its row could not be read. */
    private record Read(Event event, Optional<String> unreadable) {}

    /** Reads an event. A row that breaks the rules of events must not keep its neighbours from being read. */
    private static Read read(ResultSet row, long position) throws SQLException {
        try {
            return new Read(event(row), Optional.empty());
        } catch (SQLException | RuntimeException e) {
            return new Read(UnreadableEvent.salvage(row, position), Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /** Reads the columns of {@link SqliteSql#DUE}. */
    static Claim claim(ResultSet row, long token, Instant now) throws SQLException {
        int at = EVENT_COLUMNS;
        long position = row.getLong(++at);
        Read read = read(row, position);
        read.unreadable()
                .ifPresent(why -> LOG.log(
                        Level.WARNING,
                        "event " + read.event().id() + " at position " + position
                                + " of the store cannot be read and becomes a dead letter (invalid_event): " + why));
        Attempts attempts = new Attempts(row.getInt(++at), row.getInt(++at), row.getInt(++at));
        long first = row.getLong(++at);
        Instant firstClaimed = row.wasNull() ? now : Micros.toInstant(first);
        Duration lastDelay = Duration.ofNanos(row.getLong(++at));
        return new Claim(
                read.event(),
                position,
                token,
                attempts,
                firstClaimed,
                lastDelay,
                row.getInt(++at),
                read.event().deadline(),
                read.unreadable());
    }

    /** Reads the columns of {@link LetterSql#LIST}. */
    static DeadLetter letter(ResultSet row, List<AttemptRecord> history) throws SQLException {
        int at = EVENT_COLUMNS;
        long id = row.getLong(++at);
        return new DeadLetter(
                id,
                read(row, id).event(),
                Optional.ofNullable(row.getBytes(++at)),
                Reason.of(row.getString(++at)),
                row.getString(++at),
                row.getString(++at),
                row.getString(++at),
                row.getString(++at),
                new Attempts(row.getInt(++at), row.getInt(++at), row.getInt(++at)),
                row.getInt(++at),
                row.getInt(++at),
                Micros.toInstant(row.getLong(++at)),
                history);
    }

    /** Reads the columns of {@link LetterSql#HISTORY}. */
    static AttemptRecord attempt(ResultSet row) throws SQLException {
        return new AttemptRecord(
                row.getInt(1),
                Micros.toInstant(row.getLong(2)),
                row.getString(3),
                Duration.ofNanos(row.getLong(4)),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getString(8));
    }

    /** Binds number, time, node, duration, error type, message, decision and why, from parameter 2 on. */
    static void bindAttempt(PreparedStatement statement, AttemptRecord attempt) throws SQLException {
        statement.setInt(2, attempt.number());
        statement.setLong(3, Micros.of(attempt.at()));
        statement.setString(4, attempt.node());
        statement.setLong(5, nanos(attempt.duration()));
        statement.setString(6, attempt.errorType());
        statement.setString(7, attempt.message());
        statement.setString(8, attempt.decision());
        statement.setString(9, attempt.why());
    }

    /** Returns the headers that a letter keeps instead of its event's headers; null to keep those. */
    static @Nullable String redactedHeaders(Settlement.Dead dead) {
        return dead.redacted()
                .map(event -> StringMapJson.write(event.headers()))
                .orElse(null);
    }

    /** Returns the payload that a letter keeps instead of its event's payload; null to keep that payload. */
    static byte @Nullable [] redactedPayload(Settlement.Dead dead) {
        return dead.redacted().map(Event::payload).orElse(null);
    }

    /** Binds the parameters of {@link LetterSql#IMPORT}. */
    static void bindLetter(PreparedStatement insert, long origin, DeadLetter letter) throws SQLException {
        int at = 0;
        insert.setLong(++at, origin);
        insert.setString(++at, letter.reason().code());
        insert.setString(++at, letter.errorType());
        insert.setString(++at, letter.lastError());
        insert.setString(++at, letter.fingerprint());
        insert.setString(++at, letter.service());
        insert.setInt(++at, letter.attempts().failed());
        insert.setInt(++at, letter.attempts().interrupted());
        insert.setInt(++at, letter.attempts().crashed());
        insert.setInt(++at, letter.redrives());
        insert.setInt(++at, letter.automaticRedrives());
        insert.setLong(++at, Micros.of(letter.deadAt()));
        Event event = letter.event();
        insert.setString(++at, event.id());
        insert.setString(++at, correlationId(event));
        insert.setString(++at, event.name());
        insert.setString(++at, event.source());
        insert.setInt(++at, event.priority().ordinal());
        insert.setString(++at, event.orderingKey().orElse(null));
        insert.setString(++at, event.contentType());
        insert.setString(++at, StringMapJson.write(event.headers()));
        insert.setLong(++at, Micros.of(event.created()));
        insert.setLong(++at, Micros.of(event.due()));
        bindInstant(insert, ++at, event.deadline());
        insert.setBytes(++at, letter.originalPayload().orElse(null));
        insert.setBytes(++at, event.payload());
    }

    static String correlationId(Event event) {
        return event.correlationId().orElse("");
    }

    static void bindInstant(PreparedStatement statement, int index, Optional<Instant> instant) throws SQLException {
        if (instant.isPresent()) {
            statement.setLong(index, Micros.of(instant.get()));
        } else {
            statement.setNull(index, Types.BIGINT);
        }
    }

    /** Nanoseconds of a duration, cut at 292 years. */
    static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    static @Nullable String nullIfEmpty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    static Priority priority(int number) {
        if (number < 0 || number >= PRIORITIES.length) {
            throw new IllegalArgumentException(
                    "priority must be between 0 and " + (PRIORITIES.length - 1) + ", got " + number);
        }
        return PRIORITIES[number];
    }

    /** Reads a time; null for NULL. */
    static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.toInstant(micros);
    }

    /** Reads column 12. The driver returns an empty value as null. */
    static byte[] payload(ResultSet row) throws SQLException {
        byte[] bytes = row.getBytes(PAYLOAD_COLUMN);
        return bytes == null ? new byte[0] : bytes;
    }
}
