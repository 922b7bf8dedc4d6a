package io.redrive.jdbc;

import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.PayloadField;
import io.redrive.events.PayloadSearch;
import io.redrive.events.journal.EventQuery;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A filter as conditions on the table of dead letters. Unset parts of the filter are left out, so that an index can be
 * used.
 */
final class LetterConditions {

    /** A newer event of the letter's ordering key is in the journal. */
    private static final String OVERTAKEN = """
        EXISTS (
            SELECT 1 FROM redrive.journal_keys AS newest
            WHERE newest.ordering_key = dead_letters.ordering_key
                AND (newest.created_at, newest.origin) > (dead_letters.created_at, dead_letters.origin))""";

    /** True for an event with the mark; a quoted name within a value is written with backslashes. */
    private static final String IS_REDACTED =
            "(headers IS NOT NULL AND replace(headers, '\"" + DeadLetter.REDACTED_HEADER + "\":', '') <> headers)";

    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    LetterConditions(LetterFilter filter, Dialect dialect) {
        if (!filter.ids().isEmpty()) {
            add(dialect.idIsOneOf, dialect.ids(filter.ids()));
        }
        filter.name().ifPresent(this::addName);
        filter.reason().ifPresent(reason -> add("reason = ?", reason.code()));
        filter.errorType().ifPresent(type -> add("error_type = ?", type));
        filter.fingerprint().ifPresent(cause -> add("fingerprint = ?", cause));
        filter.eventId().ifPresent(id -> add("event_id = ?", id));
        filter.since().ifPresent(since -> add("dead_at >= ?", Micros.of(since)));
        filter.until().ifPresent(until -> add("dead_at < ?", Micros.of(until)));
        filter.text().ifPresent(text -> addText(dialect, text));
        filter.event().ifPresent(query -> add(column(query), query.text()));
        filter.payload().ifPresent(field -> addPayload(dialect, field));
        filter.overtaken().ifPresent(only -> conditions.add(only ? OVERTAKEN : "NOT " + OVERTAKEN));
        filter.maxAutomaticRedrives().ifPresent(limit -> add("auto_redrives < ?", limit));
        filter.redacted()
                .filter(rule -> rule != LetterFilter.Redacted.INCLUDED)
                .ifPresent(rule ->
                        conditions.add(rule == LetterFilter.Redacted.ONLY ? IS_REDACTED : "NOT " + IS_REDACTED));
    }

    /** The statement with the conditions in place of its {@code %s}. */
    String in(String sql) {
        return sql.formatted(conditions.isEmpty() ? "TRUE" : String.join(" AND ", conditions));
    }

    /** The statement with the conditions in place of its {@code %1$s}, followed by further parts. */
    String in(String sql, String second, String third) {
        return sql.formatted(in("%s"), second, third);
    }

    /** Binds the values from this parameter on, and returns the next free parameter. */
    int bind(PreparedStatement statement, int from) throws SQLException {
        int index = from;
        for (Object value : values) {
            statement.setObject(index++, value);
        }
        return index;
    }

    private void addName(NamePattern pattern) {
        if (pattern.isExact()) {
            add("name = ?", pattern.text());
        } else if (!pattern.text().equals("*")) {
            // A range, which an index serves: "ml.run.*" is from "ml.run." up to "ml.run/", whose last character
            // follows the dot.
            String stem = pattern.text().substring(0, pattern.text().length() - 2);
            conditions.add("name >= ? AND name < ?");
            values.add(stem + ".");
            values.add(stem + "/");
        }
    }

    /** The second condition repeats that of a partial index. */
    private static String column(EventQuery query) {
        return switch (query.by()) {
            case ID -> "event_id = ?";
            case CORRELATION -> "correlation_id = ? AND correlation_id <> ''";
            case KEY -> "ordering_key = ?";
            case NAME -> "name = ?";
        };
    }

    private void addText(Dialect dialect, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        conditions.add(dialect.containsText);
        values.add(lower);
        values.add(lower);
        values.add(lower);
        values.add(PayloadSearch.needle(text));
    }

    private void addPayload(Dialect dialect, PayloadField field) {
        conditions.add(dialect.payloadHas);
        values.addAll(dialect.payloadField(field));
    }

    private void add(String condition, Object value) {
        conditions.add(condition);
        values.add(value);
    }
}
