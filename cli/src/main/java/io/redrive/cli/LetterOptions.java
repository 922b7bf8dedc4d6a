package io.redrive.cli;

import io.redrive.core.DurationText;
import io.redrive.core.Reason;
import io.redrive.events.LetterFilter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Which letters: the options that list, group, redrive, purge and export have in common. */
final class LetterOptions {

    @Option(names = "--id", paramLabel = "ID", split = ",", description = "These letters only, such as 3,4,17.")
    private List<Long> ids = List.of();

    @Option(names = "--name", paramLabel = "PATTERN", description = "Event name, or a prefix such as ml.run.*")
    private String name;

    @Option(
            names = "--reason",
            paramLabel = "R",
            description = "Why it was given up: max_attempts_exceeded, timeout, …")
    private String reason;

    @Option(names = "--error-type", paramLabel = "T", description = "Type of the last error, such as IOException.")
    private String errorType;

    @Option(names = "--fingerprint", paramLabel = "F", description = "One cause, as 'dlq groups' names it.")
    private String fingerprint;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Given up since then: 2h, 2026-03-01, or an ISO time.")
    private String since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Given up before then.")
    private String until;

    @Option(names = "--event", paramLabel = "ID", description = "Letters of the event with this id, as logs name it.")
    private String eventId;

    @Option(
            names = "--text",
            paramLabel = "T",
            description =
                    "Contained in the error, event id, correlation id, or the first 64 KiB of a payload that is not"
                            + " binary (which has no zero byte).")
    private String text;

    /** What the options select, besides {@code more} ids given without one. */
    LetterFilter filter(List<Long> more, Instant now) {
        LetterFilter filter = LetterFilter.ofIds(ids(more));
        filter = name == null ? filter : filter.withName(name);
        filter = reason == null ? filter : filter.withReason(Reason.of(reason));
        filter = errorType == null ? filter : filter.withErrorType(errorType);
        filter = fingerprint == null ? filter : filter.withFingerprint(fingerprint);
        filter = eventId == null ? filter : filter.withEventId(eventId);
        filter = text == null ? filter : filter.withText(text);
        return filter.withTime(moment("--since", since, now), moment("--until", until, now));
    }

    /** All ids that were named, in whichever way. */
    List<Long> ids(List<Long> more) {
        List<Long> all = new ArrayList<>(ids);
        all.addAll(more == null ? List.of() : more);
        return all;
    }

    LetterFilter filter(Instant now) {
        return filter(List.of(), now);
    }

    static Instant moment(String option, String text, Instant now) {
        if (text == null) {
            return null;
        }
        try {
            if (text.matches("\\d{4}-\\d\\d-\\d\\d")) {
                return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            }
            return text.matches("\\d{4}-.*")
                    ? OffsetDateTime.parse(text).toInstant()
                    : now.minus(DurationText.parse(text));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    option + " must be a time ago such as 2h, a date (UTC) or a time with its zone such as"
                            + " 2026-03-01T10:00:00Z; got '" + text + "'",
                    e);
        }
    }
}
