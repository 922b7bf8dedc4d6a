package io.redrive.jdbc;

import io.redrive.items.AttemptStatus;
import io.redrive.items.StageAttempt;
import java.util.List;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * The lines that a commit adds to a sample's audit trail, as one text: it is written with the sample's row and costs little
 * more than the row alone. A row for each line would cost more than all else together, because SQLite's driver crosses
 * into native code for each value.
 *
 * <p>The view {@code run_attempts} takes the text apart. Of an attempt that succeeded at once it has when, how long and
 * where; the rest follows. A line's number is its place.
 */
final class SqliteTrail {

    private final StageNumbers stages;
    private final StringBuilder text = new StringBuilder();

    SqliteTrail(StageNumbers stages) {
        this.stages = stages;
    }

    /** Null when there is nothing to add. */
    String of(List<StageAttempt> lines) {
        if (lines.isEmpty()) {
            return null;
        }
        text.setLength(0);
        for (int i = 0; i < lines.size(); i++) {
            append(lines.get(i));
        }
        return text.toString();
    }

    private void append(StageAttempt line) {
        text.append(text.isEmpty() ? "[" : ",[")
                .append(Micros.of(line.at()))
                .append(',')
                .append(EventRows.nanos(line.duration()))
                .append(',')
                .append(stages.of(line));
        if (!succeededAtOnce(line)) {
            text.append(',')
                    .append(line.attempt())
                    .append(',')
                    .append(RunRows.code(line.status()))
                    .append(',')
                    .append(EventRows.nanos(line.delay()));
            quote(line.errorType());
            quote(line.message());
        }
        text.append(']');
    }

    private static boolean succeededAtOnce(StageAttempt line) {
        return line.status() == AttemptStatus.SUCCESS
                && line.attempt() == 1
                && line.delay().isZero()
                && line.errorType().isEmpty()
                && line.message().isEmpty();
    }

    private void quote(String value) {
        if (value.isEmpty()) {
            text.append(",null");
        } else {
            text.append(",\"");
            JsonStringEncoder.getInstance().quoteAsString(value, text);
            text.append('"');
        }
    }
}
