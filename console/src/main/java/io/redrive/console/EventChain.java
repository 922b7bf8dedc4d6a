package io.redrive.console;

import io.redrive.operations.FoundEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Events side by side on one line of time, from the creation of the first event to the last end.
 *
 * @param rows the events in the order of their creation
 * @param length the time from the first creation to the last end
 */
record EventChain(List<Row> rows, Duration length) {

    private static final double WIDTH = 100;
    private static final double LEAST = 1.2;

    /**
     * One event.
     *
     * @param event the event
     * @param x the beginning of the event's bar, in percent
     * @param width the width of the bar, in percent
     */
    record Row(FoundEvent event, String x, String width) {

        /** Returns the class of the bar in the stylesheet. */
        String style() {
            return switch (event.state()) {
                case "dead" -> "again";
                case "finished" -> "done";
                default -> "sent";
            };
        }
    }

    static EventChain of(List<FoundEvent> events, Instant now) {
        if (events.isEmpty()) {
            return new EventChain(List.of(), Duration.ZERO);
        }
        Instant first = events.stream()
                .map(FoundEvent::created)
                .min(Comparator.naturalOrder())
                .orElse(now);
        Instant last = events.stream()
                .map(event -> EventWords.end(event, now))
                .max(Comparator.naturalOrder())
                .orElse(now);
        // Clocks of nodes differ: an end may lie before the first creation.
        double whole = Math.max(1, Duration.between(first, last).toMillis());
        List<Row> rows = new ArrayList<>();
        for (FoundEvent event : events) {
            double from = percent(Duration.between(first, event.created()).toMillis(), whole);
            double to =
                    percent(Duration.between(first, EventWords.end(event, now)).toMillis(), whole);
            double width = Math.max(LEAST, to - from);
            rows.add(new Row(event, text(Math.min(from, WIDTH - LEAST)), text(Math.min(width, WIDTH))));
        }
        Duration length = Duration.between(first, last);
        return new EventChain(List.copyOf(rows), length.isNegative() ? Duration.ZERO : length);
    }

    private static double percent(long part, double whole) {
        return Math.min(WIDTH, Math.max(0, WIDTH * part / whole));
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
