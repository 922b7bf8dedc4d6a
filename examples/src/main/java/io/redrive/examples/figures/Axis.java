package io.redrive.examples.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An axis of a {@link Panel}: label with unit, range and ticks. */
record Axis(String label, double min, double max, boolean logarithmic, double step) {

    static Axis linear(String label, double min, double max, double step) {
        return new Axis(label, min, max, false, step);
    }

    /** Ticks at the powers of ten. */
    static Axis logarithmic(String label, double min, double max) {
        return new Axis(label, min, max, true, 10);
    }

    /** The position of a value, from 0 to 1; a value outside the range lies on the edge. */
    double share(double value) {
        double inside = Math.max(min, Math.min(max, value));
        return logarithmic ? StrictMath.log(inside / min) / StrictMath.log(max / min) : (inside - min) / (max - min);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            for (double at = min; at <= max * 1.0001; at *= step) {
                ticks.add(at);
            }
        } else {
            // Multiples of the step, counted rather than added up.
            long first = (long) Math.ceil(min / step - 0.0001);
            long last = (long) Math.floor(max / step + 0.0001);
            for (long i = first; i <= last; i++) {
                ticks.add(i * step);
            }
        }
        return ticks;
    }

    /** The text of a tick: 0.5, 20, 1,000. */
    static String number(double value) {
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,d", (long) value);
        }
        return String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
    }
}
