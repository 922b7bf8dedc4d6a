package io.redrive.server.http;

import io.redrive.core.Reason;
import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterSelection;
import io.redrive.server.problem.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads filters and selections of dead letters from parameters and bodies. */
final class LetterFilters {

    /** The parameters of a filter. */
    static final String[] NAMES = {"name", "reason", "error_type", "fingerprint", "event_id", "text", "since", "until"};

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
        return filter(query::value);
    }

    private static LetterFilter of(Body body) {
        LetterFilter filter = filter(body::value);
        body.done();
        return filter;
    }

    private static LetterFilter filter(Fields fields) {
        LetterFilter filter = LetterFilter.ALL;
        filter = with(fields, "name", filter, LetterFilter::withName);
        filter = with(fields, "reason", filter, (all, text) -> all.withReason(Reason.of(text)));
        filter = with(fields, "error_type", filter, LetterFilter::withErrorType);
        filter = with(fields, "fingerprint", filter, LetterFilter::withFingerprint);
        filter = with(fields, "event_id", filter, LetterFilter::withEventId);
        filter = with(fields, "text", filter, LetterFilter::withText);
        Optional<Instant> since = fields.value("since", Instant::parse);
        Optional<Instant> until = fields.value("until", Instant::parse);
        return since.isEmpty() && until.isEmpty() ? filter : filter.withTime(since.orElse(null), until.orElse(null));
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
}
