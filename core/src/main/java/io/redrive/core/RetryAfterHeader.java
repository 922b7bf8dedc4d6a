package io.redrive.core;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** The HTTP {@code Retry-After} header: seconds, or a date. */
public final class RetryAfterHeader {

    private RetryAfterHeader() {}

    /**
     * Returns the delay from {@code now}: the seconds of the header, or the time until its date (zero for a past
     * date). Empty when the header is neither.
     */
    public static Optional<Duration> parse(String header, Instant now) {
        String value = header.trim();
        if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            String digits = value.replaceFirst("^0+(?=.)", "");
            // More digits than a long holds still means "very long".
            return Optional.of(
                    digits.length() > 10
                            ? Backoff.LONGEST
                            : DurationText.atMostLongest(Duration.ofSeconds(Long.parseLong(digits))));
        }
        try {
            Instant until = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration delay = Duration.between(now, until);
            return Optional.of(delay.isNegative() ? Duration.ZERO : DurationText.atMostLongest(delay));
        } catch (DateTimeParseException notADate) {
            return Optional.empty();
        }
    }
}
