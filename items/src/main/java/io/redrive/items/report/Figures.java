package io.redrive.items.report;

import io.redrive.core.DurationText;
import io.redrive.items.store.Price;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats the numbers of a report for people. */
final class Figures {

    static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Figures() {}

    /** Returns the number with separators: {@code 12,345}. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns the number with its unit: {@code 12,345 tokens}. */
    static String cost(long number, String unit) {
        return count(number) + " " + unit;
    }

    /** Returns the amount with two decimals, and amounts below 1 with four: {@code 12.35 USD}. */
    static String money(long cost, Price price) {
        BigDecimal money = price.of(cost);
        boolean small = money.compareTo(BigDecimal.ONE) < 0;
        String digits = String.format(Locale.ROOT, small ? "%,.4f" : "%,.2f", money);
        return price.currency().isEmpty() ? digits : digits + " " + price.currency();
    }

    /** Returns the duration with three significant digits, and durations from one minute in whole seconds. */
    static String time(Duration duration) {
        double nanos = duration.toNanos();
        double step = nanos >= 60e9 ? 1e9 : Math.pow(10, Math.floor(Math.log10(Math.max(1, nanos))) - 2);
        return DurationText.format(Duration.ofNanos(Math.round(Math.round(nanos / step) * step)));
    }

    /** Returns the share with one decimal; never 100 % for less than the whole, never 0 % for more than zero. */
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
