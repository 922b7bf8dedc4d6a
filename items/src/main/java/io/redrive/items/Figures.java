package io.redrive.items;

import io.redrive.core.DurationText;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers as a report writes them for people. */
final class Figures {

    static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Figures() {}

    /** With separators: {@code 12,345}. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** To three digits, or to the second when it is minutes: nobody compares microseconds by eye. */
    static String time(Duration duration) {
        double nanos = duration.toNanos();
        double step = nanos >= 60e9 ? 1e9 : Math.pow(10, Math.floor(Math.log10(Math.max(1, nanos))) - 2);
        return DurationText.format(Duration.ofNanos(Math.round(Math.round(nanos / step) * step)));
    }

    /** Never 100 % when something is missing, never 0 % when there is something. */
    static String percent(long part, long whole) {
        if (whole == 0) {
            return "–";
        }
        double percent = 100.0 * part / whole;
        if (part < whole && percent > 99.9) {
            return ">99.9 %";
        }
        if (part > 0 && percent < 0.1) {
            return "<0.1 %";
        }
        return String.format(Locale.ROOT, "%.1f %%", percent);
    }
}
