package io.redrive.console;

import io.redrive.pipeline.StoreAlert;
import java.util.Locale;

/**
 * A value beside its threshold.
 *
 * @param label the value's name
 * @param value the value with its unit
 * @param limit the threshold with its unit
 * @param filled the part of the gauge to fill, 0 to 100; the threshold is at 50
 * @param raised true when the value is above the threshold
 */
record Gauge(String label, String value, String limit, int filled, boolean raised) {

    private static final int FULL = 100;

    static Gauge of(StoreAlert alert) {
        boolean count = switch (alert.kind()) {
            case DEAD_LETTERS, REGRESSED_CAUSES -> true;
            default -> false;
        };
        double part = alert.threshold() == 0 ? (alert.value() > 0 ? 1 : 0) : alert.value() / (2 * alert.threshold());
        return new Gauge(
                alert.kind().code().replace('_', ' '),
                shown(alert.value(), count),
                shown(alert.threshold(), count),
                (int) Math.round(FULL * Math.min(1, part)),
                alert.raised());
    }

    private static String shown(double value, boolean count) {
        return count ? Format.number((long) value) : Format.percent(value);
    }

    String inWords() {
        return label.toLowerCase(Locale.ROOT) + " " + value + " is above " + limit;
    }
}
