package io.redrive.jdbc;

import io.redrive.items.SampleRecord;
import io.redrive.items.StageAttempt;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * The lines that a commit adds to the audit trails of its samples, each sample's as one text: it is written with the
 * sample's row and costs little more than the row alone. A row for each line would cost more than all else together,
 * because SQLite's driver crosses into native code for each value.
 */
final class SqliteTrail {

    private static final int CHARS_PER_LINE = 48;

    private final Map<Long, StringBuilder> lines;

    private SqliteTrail(Map<Long, StringBuilder> lines) {
        this.lines = lines;
    }

    static SqliteTrail of(RunWrites writes) {
        Map<Long, StringBuilder> lines = new HashMap<>();
        long ordinal = -1;
        StringBuilder text = null;
        for (StageAttempt attempt : writes.attempts()) {
            if (attempt.ordinal() != ordinal) {
                ordinal = attempt.ordinal();
                text = lines.computeIfAbsent(ordinal, first -> new StringBuilder(3 * CHARS_PER_LINE));
            }
            append(text, attempt, writes.stageOf(attempt));
        }
        return new SqliteTrail(lines);
    }

    /** Null when there is nothing to add. */
    String of(SampleRecord sample) {
        StringBuilder text = lines.get(sample.ordinal());
        return text == null ? null : text.toString();
    }

    /** As the view {@code run_attempts} takes it apart. */
    private static void append(StringBuilder text, StageAttempt attempt, long stage) {
        text.append(text.isEmpty() ? "[" : ",[")
                .append(attempt.sequence())
                .append(',')
                .append(stage)
                .append(',')
                .append(attempt.attempt())
                .append(',')
                .append(RunRows.code(attempt.status()))
                .append(',')
                .append(Micros.of(attempt.at()))
                .append(',')
                .append(EventRows.nanos(attempt.duration()))
                .append(',')
                .append(EventRows.nanos(attempt.delay()));
        if (!attempt.errorType().isEmpty() || !attempt.message().isEmpty()) {
            quote(text.append(','), attempt.errorType());
            quote(text.append(','), attempt.message());
        }
        text.append(']');
    }

    private static void quote(StringBuilder text, String value) {
        if (value.isEmpty()) {
            text.append("null");
        } else {
            text.append('"');
            JsonStringEncoder.getInstance().quoteAsString(value, text);
            text.append('"');
        }
    }
}
