package io.redrive.cli.activity;

import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.StoreAlert;
import java.time.Duration;
import java.util.Locale;

/** Numbers of the activity as texts of a few characters. */
public final class ActivityText {

    private ActivityText() {}

    /** Returns a share as a percentage: {@code 3.1%}. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", share * 100);
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns a rate: {@code 20.5/min}, or {@code 2.1/h} for less than one in ten minutes. */
    static String rate(long count, Duration during) {
        double perMinute = count / Math.max(1.0, during.toMinutes());
        return count > 0 && perMinute < 0.1
                ? String.format(Locale.ROOT, "%.1f/h", perMinute * 60)
                : String.format(Locale.ROOT, perMinute < 100 ? "%.1f/min" : "%,.0f/min", perMinute);
    }

    /** Returns a duration with two or three digits: {@code 340us}, {@code 12ms}, {@code 1.4s}, {@code 90s}, {@code 5m}. */
    static String brief(Duration duration) {
        long micros = duration.toNanos() / 1_000;
        if (micros < 1_000) {
            return micros + "us";
        }
        if (micros < 999_500) {
            return Math.round(micros / 1_000.0) + "ms";
        }
        if (micros < 10_000_000) {
            return String.format(Locale.ROOT, "%.1fs", micros / 1_000_000.0);
        }
        if (duration.toSeconds() < 120) {
            return duration.toSeconds() + "s";
        }
        return duration.toMinutes() < 120 ? duration.toMinutes() + "m" : duration.toHours() + "h";
    }

    /** Returns an alert as {@code retry_rate 12.5% (at most 10.0%)}. */
    public static String alert(StoreAlert alert) {
        return alert.kind().code() + " " + value(alert.kind(), alert.value()) + " (at most "
                + value(alert.kind(), alert.threshold()) + ")";
    }

    private static String value(Alerts.Kind kind, double value) {
        boolean counted = kind == Alerts.Kind.DEAD_LETTERS || kind == Alerts.Kind.REGRESSED_CAUSES;
        return counted ? count((long) value) : percent(value);
    }
}
