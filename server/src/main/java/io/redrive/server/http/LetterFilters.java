package io.redrive.server.http;

import io.redrive.core.Reason;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.PayloadField;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Preview;
import io.redrive.server.problem.Problem;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads filters and selections of dead letters from parameters and bodies. */
final class LetterFilters {

    /** The parameters of a filter. */
    static final String[] NAMES = {
        "ids",
        "name",
        "reason",
        "error_type",
        "fingerprint",
        "event_id",
        "text",
        "payload",
        "since",
        "until",
        "redacted",
        "overtaken"
    };

    private LetterFilters() {}

    private interface Fields {
        <T> Optional<T> value(String name, Function<String, T> parse);
    }

    /** Returns {@link #NAMES} and further names. */
    static String[] names(String... more) {
        String[] names = new String[NAMES.length + more.length];
        System.arraycopy(NAMES, 0, names, 0, NAMES.length);
        System.arraycopy(more, 0, names, NAMES.length, more.length);
        return names;
    }

    static LetterFilter of(Query query) {
        LetterFilter ids = query.value("ids", LetterFilters::ids).orElse(LetterFilter.ALL);
        LetterFilter filter = filter(query::value, ids);
        return query.value("overtaken", Query::truth).map(filter::withOvertaken).orElse(filter);
    }

    private static LetterFilter ids(String text) {
        return LetterFilter.ofIds(
                Arrays.stream(text.split(",")).map(Long::parseLong).toList());
    }

    private static LetterFilter of(Body body) {
        LetterFilter filter = filter(body::value, LetterFilter.ofIds(body.ids("ids")));
        LetterFilter whole = body.truth("overtaken").map(filter::withOvertaken).orElse(filter);
        body.done();
        return whole;
    }

    private static LetterFilter filter(Fields fields, LetterFilter ids) {
        LetterFilter filter = ids;
        filter = with(fields, "name", filter, LetterFilter::withName);
        filter = with(fields, "reason", filter, (all, text) -> all.withReason(Reason.of(text)));
        filter = with(fields, "error_type", filter, LetterFilter::withErrorType);
        filter = with(fields, "fingerprint", filter, LetterFilter::withFingerprint);
        filter = with(fields, "event_id", filter, LetterFilter::withEventId);
        filter = with(fields, "text", filter, LetterFilter::withText);
        filter = with(fields, "payload", filter, (all, text) -> all.withPayload(PayloadField.parse(text)));
        filter = with(fields, "redacted", filter, (each, rule) -> each.withRedacted(redacted(rule)));
        Optional<Instant> since = fields.value("since", Instant::parse);
        Optional<Instant> until = fields.value("until", Instant::parse);
        return since.isEmpty() && until.isEmpty() ? filter : filter.withTime(since.orElse(null), until.orElse(null));
    }

    private static LetterFilter.Redacted redacted(String rule) {
        return Arrays.stream(LetterFilter.Redacted.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(rule))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("it must be included, excluded or only"));
    }

    /** Returns the filter as a body has it. */
    static Answer view(LetterFilter filter) {
        return new Answer()
                .put(
                        "ids",
                        filter.ids().isEmpty()
                                ? null
                                : filter.ids().stream().sorted().toList())
                .put("name", filter.name().map(NamePattern::text))
                .put("reason", filter.reason().map(Reason::code))
                .put("error_type", filter.errorType())
                .put("fingerprint", filter.fingerprint())
                .put("event_id", filter.eventId())
                .put("text", filter.text())
                .put("payload", filter.payload().map(PayloadField::toString))
                .put("since", filter.since())
                .put("until", filter.until())
                .put("redacted", filter.redacted().map(rule -> rule.name().toLowerCase(Locale.ROOT)))
                .put("overtaken", filter.overtaken());
    }

    /** Returns a preview: its letters, the named letters that are missing, and the filter that later letters do not match. */
    static Answer view(Preview preview) {
        return new Answer()
                .put("letters", preview.letters())
                .put("missing", preview.missing())
                .put("filter", view(preview.filter()));
    }

    private static LetterFilter with(
            Fields fields, String name, LetterFilter filter, BiFunction<LetterFilter, String, LetterFilter> change) {
        return fields.value(name, text -> change.apply(filter, text)).orElse(filter);
    }

    /**
     * Reads the letters that a command is about: exactly one of {@code ids}, {@code filter} and {@code all}, and perhaps {@code
     * limit}.
     */
    static LetterSelection selection(Body body) {
        List<Long> ids = body.ids("ids");
        Optional<Body> filter = body.section("filter");
        boolean all = body.isTrue("all");
        int given = (ids.isEmpty() ? 0 : 1) + (filter.isPresent() ? 1 : 0) + (all ? 1 : 0);
        if (given != 1) {
            throw Problem.wrong(
                    "ids",
                    null,
                    "must be given, or filter, or all: true; exactly one of the three selects the letters");
        }
        LetterSelection selection = all
                ? LetterSelection.all()
                : filter.map(section -> LetterSelection.matching(of(section)))
                        .orElseGet(() -> LetterSelection.ofIds(ids));
        return body.number("limit").map(selection::atMost).orElse(selection);
    }

    /** {@link #selection} with the letters that a redrive leaves out unless the body asks for them. */
    static LetterSelection redriveSelection(Body body) {
        LetterSelection selection = selection(body);
        LetterSelection redacted = body.isTrue("include_redacted") ? selection.withRedacted() : selection;
        return body.isTrue("include_overtaken") ? redacted.includingOvertaken() : redacted;
    }
}
