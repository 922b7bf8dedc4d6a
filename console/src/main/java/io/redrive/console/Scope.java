package io.redrive.console;

import io.redrive.core.Reason;
import io.redrive.events.LetterFilter;
import io.redrive.events.PayloadField;
import io.redrive.operations.LetterSelection;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;

/**
 * The letters that a page or a command is about, as written in the address: ids, or a filter.
 *
 * @param query the parameters of the scope, for links and forms
 * @param filter the filter that the parameters say
 */
record Scope(Query query, LetterFilter filter) {

    /** The parameters of an address that restrict letters. */
    static final List<String> PARAMS =
            List.of("id", "name", "reason", "error", "cause", "event", "text", "payload", "since", "until");

    /** The times that the page offers, with their names. */
    static final Map<String, String> SINCE =
            Map.of("1h", "last hour", "24h", "last 24 hours", "7d", "last 7 days", "30d", "last 30 days");

    static final List<String> SINCE_ORDER = List.of("1h", "24h", "7d", "30d");

    private static final int MOST_IDS = 1_000;

    /**
     * Reads the scope of a request.
     *
     * @throws IllegalArgumentException when a value cannot be used
     */
    static Scope of(Visit visit) {
        List<Long> ids = ids(visit.all("id"));
        if (ids.isEmpty() && visit.param("only").equals("selected")) {
            throw Refusal.wrong(
                            "No letter is selected.",
                            "Nothing was changed. Tick letters in the list, or take all that match.")
                    .leadingTo("/letters", "Back to the letters");
        }
        LetterFilter filter = ids.isEmpty() ? LetterFilter.ALL : LetterFilter.ofIds(ids);
        filter = visit.param("name").isEmpty() ? filter : filter.withName(visit.param("name"));
        filter = visit.param("reason").isEmpty() ? filter : filter.withReason(Reason.of(visit.param("reason")));
        filter = visit.param("error").isEmpty() ? filter : filter.withErrorType(visit.param("error"));
        filter = visit.param("cause").isEmpty() ? filter : filter.withFingerprint(visit.param("cause"));
        filter = visit.param("event").isEmpty() ? filter : filter.withEventId(visit.param("event"));
        filter = visit.param("text").isBlank() ? filter : filter.withText(visit.param("text"));
        filter = visit.param("payload").isEmpty()
                ? filter
                : filter.withPayload(PayloadField.parse(visit.param("payload")));
        String since = visit.param("since");
        String until = visit.param("until");
        if (!since.isEmpty() || !until.isEmpty()) {
            filter = filter.withTime(
                    since.isEmpty() ? null : time("since", since, visit.now()),
                    until.isEmpty() ? null : time("until", until, visit.now()));
        }
        return new Scope(Query.of(visit.params(), PARAMS), filter);
    }

    private static List<Long> ids(List<String> texts) {
        if (texts.size() > MOST_IDS) {
            throw new IllegalArgumentException(
                    "id must be given at most " + MOST_IDS + " times, got " + texts.size() + "; use a filter instead");
        }
        return texts.stream().map(Scope::id).toList();
    }

    static long id(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "id must be the number of a letter, got '" + Format.brief(text, 40) + "'");
        }
    }

    /** Reads a time: {@code 24h} or {@code 7d} before now, or an instant of ISO 8601. */
    static Instant time(String field, String text, Instant now) {
        try {
            if (text.matches("\\d{1,5}[mhd]")) {
                String iso = (text.endsWith("d") ? "P" : "PT") + text.toUpperCase(java.util.Locale.ROOT);
                return now.minus(Duration.parse(iso));
            }
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(field + " must be a time such as 24h, 7d or 2026-01-31T12:00:00Z, got '"
                    + Format.brief(text, 40) + "'");
        }
    }

    boolean isAll() {
        return filter.equals(LetterFilter.ALL);
    }

    /** Returns true when the store has to read payloads to count the letters. */
    boolean isSlow() {
        return filter.readsPayloads();
    }

    LetterSelection selection() {
        return isAll() ? LetterSelection.all() : LetterSelection.matching(filter);
    }

    /** Returns the same scope without letters that die from this moment on. */
    Scope frozenAt(Instant end) {
        if (!filter.ids().isEmpty() || filter.until().isPresent()) {
            return this;
        }
        return new Scope(
                query.with("until", end.toString()),
                filter.withTime(filter.since().orElse(null), end));
    }

    /** Returns the scope in words: {@code name order.*, reason timeout}. */
    String inWords() {
        return Format.withTimes(filter.describe());
    }
}
