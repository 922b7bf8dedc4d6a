package io.redrive.cli.command;

import io.redrive.core.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** A time in the future as text: {@code 3d} (from now), {@code 2026-03-01} (UTC), or an ISO time with its zone. */
public final class TimeAhead {

    private TimeAhead() {}

    /**
     * Returns the time that an option names.
     *
     * @throws IllegalArgumentException naming the option, when the text is no time
     */
    public static Instant parse(String option, String text, Instant now) {
        try {
            if (text.matches("\\d{4}-\\d\\d-\\d\\d")) {
                return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            }
            return text.matches("\\d{4}-.*")
                    ? OffsetDateTime.parse(text).toInstant()
                    : now.plus(DurationText.parse(text));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    option + " must be a time from now such as 3d, a date (UTC) or a time with its zone such as"
                            + " 2026-03-01T10:00:00Z; got '" + text + "'",
                    e);
        }
    }
}
