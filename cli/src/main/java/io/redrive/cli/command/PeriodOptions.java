package io.redrive.cli.command;

import io.redrive.core.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --since} and {@code --until}. */
public final class PeriodOptions {

    @Option(names = "--since", paramLabel = "WHEN", description = "Since this time: 2h (ago), 2026-03-01, an ISO time.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Before this time.")
    private @Nullable String until;

    /** Returns the first moment of the period. */
    public Optional<Instant> since(Instant now) {
        return Optional.ofNullable(since).map(text -> moment("--since", text, now));
    }

    /** Returns the moment at which the period ends. */
    public Optional<Instant> until(Instant now) {
        return Optional.ofNullable(until).map(text -> moment("--until", text, now));
    }

    /**
     * Reads a time: ago, a date, or an ISO time.
     *
     * @throws IllegalArgumentException when the text is no time; the message names the option
     */
    public static Instant moment(String option, String text, Instant now) {
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
