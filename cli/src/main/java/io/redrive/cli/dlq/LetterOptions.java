package io.redrive.cli.dlq;

import io.redrive.cli.command.PeriodOptions;
import io.redrive.core.Reason;
import io.redrive.events.LetterFilter;
import io.redrive.events.PayloadField;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select letters, shared by the commands that list, group, redrive, purge and export letters. */
final class LetterOptions {

    @Option(names = "--id", paramLabel = "ID", split = ",", description = "These letters only, such as 3,4,17.")
    private List<Long> ids = List.of();

    @Option(names = "--name", paramLabel = "PATTERN", description = "Event name, or a prefix such as ml.run.*")
    private @Nullable String name;

    @Option(
            names = "--reason",
            paramLabel = "R",
            description = "Why it was given up: max_attempts_exceeded, timeout, …")
    private @Nullable String reason;

    @Option(names = "--error-type", paramLabel = "T", description = "Type of the last error, such as IOException.")
    private @Nullable String errorType;

    @Option(names = "--fingerprint", paramLabel = "F", description = "One cause, as 'dlq groups' names it.")
    private @Nullable String fingerprint;

    @Mixin
    private PeriodOptions period = new PeriodOptions();

    @Option(names = "--event", paramLabel = "ID", description = "Letters of the event with this id, as logs name it.")
    private @Nullable String eventId;

    @Option(
            names = "--text",
            paramLabel = "T",
            description =
                    "Contained in the error, event id, correlation id, or the first 64 KiB of a payload that is not"
                            + " binary (which has no zero byte).")
    private @Nullable String text;

    @Option(
            names = "--payload",
            paramLabel = "POINTER=VALUE",
            description = "Field of a JSON payload with this value, such as /customer/country=CH or /lines/0/sku=A-7.")
    private @Nullable String payload;

    /** Returns the filter that these options describe, together with ids that stand on the command line without an option. */
    LetterFilter filter(List<Long> more, Instant now) {
        LetterFilter filter = LetterFilter.ofIds(ids(more));
        filter = name == null ? filter : filter.withName(name);
        filter = reason == null ? filter : filter.withReason(Reason.of(reason));
        filter = errorType == null ? filter : filter.withErrorType(errorType);
        filter = fingerprint == null ? filter : filter.withFingerprint(fingerprint);
        filter = eventId == null ? filter : filter.withEventId(eventId);
        filter = text == null ? filter : filter.withText(text);
        filter = payload == null ? filter : filter.withPayload(PayloadField.parse(payload));
        return filter.withTime(period.since(now).orElse(null), period.until(now).orElse(null));
    }

    /** Returns all ids on the command line. */
    List<Long> ids(List<Long> more) {
        List<Long> all = new ArrayList<>(ids);
        all.addAll(more);
        return all;
    }

    LetterFilter filter(Instant now) {
        return filter(List.of(), now);
    }
}
