package io.redrive.jdbc;

import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import java.sql.SQLException;

/** Rows of imported letters and their history, sent with one {@code COPY} for each table. */
final class PostgresLetterCopy {

    private static final String COPY_LETTERS = """
        COPY redrive.dead_letters (
            origin, reason, error_type, last_error, fingerprint, service,
            failed, interrupted, crashed, redrives, auto_redrives, dead_at,
            event_id, correlation_id, name, source, priority, ordering_key, content_type, headers,
            created_at, due_at, deadline_at, original_payload, payload)
        FROM STDIN (FORMAT binary)
        """;

    private static final String COPY_ATTEMPTS = """
        COPY redrive.attempts (origin, number, at, node, duration, error_type, message, decision, why)
        FROM STDIN (FORMAT binary)
        """;

    private static final int EXPECTED_BYTES = 1 << 19;

    private final PostgresCopy letters = new PostgresCopy(EXPECTED_BYTES);
    private final PostgresCopy attempts = new PostgresCopy(EXPECTED_BYTES);
    private boolean anyAttempt;

    void add(DeadLetter letter, long origin) {
        letters.row(25)
                .bigint(origin)
                .text(letter.reason().code())
                .text(letter.errorType())
                .text(letter.lastError())
                .text(letter.fingerprint())
                .text(letter.service())
                .integer(letter.attempts().failed())
                .integer(letter.attempts().interrupted())
                .integer(letter.attempts().crashed())
                .integer(letter.redrives())
                .integer(letter.automaticRedrives())
                .bigint(Micros.of(letter.deadAt()));
        Event event = letter.event();
        letters.text(event.id())
                .text(EventRows.correlationId(event))
                .text(event.name())
                .text(event.source())
                .smallint(event.priority().ordinal())
                .text(event.orderingKey().orElse(null))
                .text(event.contentType())
                .text(StringMapJson.write(event.headers()))
                .bigint(Micros.of(event.created()))
                .bigint(Micros.of(event.due()))
                .bigint(event.deadline().map(Micros::of).orElse(null))
                .bytes(letter.originalPayload().orElse(null))
                .bytes(event.payload());
        letter.history().forEach(attempt -> add(attempt, origin));
    }

    private void add(AttemptRecord attempt, long origin) {
        anyAttempt = true;
        attempts.row(9)
                .bigint(origin)
                .integer(attempt.number())
                .bigint(Micros.of(attempt.at()))
                .text(attempt.node())
                .bigint(EventRows.nanos(attempt.duration()))
                .text(attempt.errorType())
                .text(attempt.message())
                .text(attempt.decision())
                .text(attempt.why());
    }

    void sendTo(PostgresSession session) throws SQLException {
        session.copy(COPY_LETTERS, letters.finished());
        if (anyAttempt) {
            session.copy(COPY_ATTEMPTS, attempts.finished());
        }
    }
}
