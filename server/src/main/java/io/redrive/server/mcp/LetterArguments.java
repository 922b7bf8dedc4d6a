package io.redrive.server.mcp;

import io.redrive.core.Reason;
import io.redrive.events.LetterFilter;
import io.redrive.events.PayloadField;
import io.redrive.operations.LetterSelection;
import io.redrive.server.mcp.AssistantTool.Parameter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads filters and selections of dead letters from arguments. */
final class LetterArguments {

    static final List<Parameter> FILTER = List.of(
            Parameter.text("fingerprint", "Only letters of this cause"),
            Parameter.text("name", "Event name or pattern, such as order.*"),
            Parameter.text("reason", "Why the event was given up, such as timeout"),
            Parameter.text("error_type", "Short type of the last error"),
            Parameter.text("text", "Text within the error, the payload, the id or the headers"),
            Parameter.text("payload", "Field of the JSON payload with its value, such as /customer/country=CH"),
            Parameter.text("since", "Dead from this time on, such as 2026-03-01T10:00:00Z"),
            Parameter.text("until", "Dead before this time"));

    private LetterArguments() {}

    /** Returns the parameters of a filter and further ones. */
    static List<Parameter> with(Parameter... more) {
        List<Parameter> all = new ArrayList<>(FILTER);
        all.addAll(List.of(more));
        return all;
    }

    static LetterFilter filter(Arguments arguments) {
        LetterFilter filter = LetterFilter.ALL;
        filter = arguments.text("fingerprint").map(filter::withFingerprint).orElse(filter);
        filter = arguments.value("name", filter::withName).orElse(filter);
        filter = arguments.value("reason", Reason::of).map(filter::withReason).orElse(filter);
        filter = arguments.text("error_type").map(filter::withErrorType).orElse(filter);
        filter = arguments.text("text").map(filter::withText).orElse(filter);
        filter = arguments
                .value("payload", PayloadField::parse)
                .map(filter::withPayload)
                .orElse(filter);
        Optional<Instant> since = arguments.value("since", Instant::parse);
        Optional<Instant> until = arguments.value("until", Instant::parse);
        return since.isEmpty() && until.isEmpty() ? filter : filter.withTime(since.orElse(null), until.orElse(null));
    }

    /** Returns the letters that a proposal is about: ids, or a filter that restricts something. */
    static LetterSelection selection(Arguments arguments) {
        List<Long> ids = arguments.ids("ids");
        LetterFilter filter = filter(arguments);
        boolean filtered = !filter.equals(LetterFilter.ALL);
        if (ids.isEmpty() != filtered) {
            throw Arguments.wrong(
                    "ids", "", "must be given, or a filter such as fingerprint or name; exactly one of both");
        }
        LetterSelection selection = filtered ? LetterSelection.matching(filter) : LetterSelection.ofIds(ids);
        return arguments.number("limit").map(selection::atMost).orElse(selection);
    }
}
