package io.redrive.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A number that a node chose for itself within bounds, because of its load: how many claims a lane holds, or how many calls of a
 * handler run at once.
 *
 * @param subject the lane or handler: {@code lane domain}, {@code handler mail.*}
 * @param size the number in force
 * @param unit {@code claims} or {@code calls at once}
 * @param least the lower bound
 * @param most the upper bound; the same as {@code least} for a fixed number
 * @param why the reason in words
 */
public record ChosenSize(String subject, int size, String unit, int least, int most, String why) {

    static final String CLAIMS = "claims";
    static final String CALLS = "calls at once";

    private static final int FIELDS = 6;
    /** A note has at most 10,000 characters. */
    private static final int MOST_TEXT = 9_000;

    /** Returns the number, its bounds and the reason in one line. */
    public String describe() {
        String bounds = least == most ? "fixed" : least + " to " + most;
        return subject + ": " + size + " " + unit + " (" + bounds + "); " + why;
    }

    /** Returns the text of a note. Sizes that do not fit into a note are left out. */
    static String text(List<ChosenSize> sizes) {
        StringBuilder text = new StringBuilder();
        for (ChosenSize each : sizes) {
            String line = String.join(
                    "\t",
                    each.subject,
                    String.valueOf(each.size),
                    each.unit,
                    String.valueOf(each.least),
                    String.valueOf(each.most),
                    each.why);
            if (text.length() + line.length() < MOST_TEXT) {
                text.append(line).append('\n');
            }
        }
        return text.toString();
    }

    /** Reads the text of a note. Lines of other versions that do not fit are left out. */
    static List<ChosenSize> read(String text) {
        List<ChosenSize> sizes = new ArrayList<>();
        text.lines().map(ChosenSize::readLine).forEach(line -> line.ifPresent(sizes::add));
        return List.copyOf(sizes);
    }

    private static Optional<ChosenSize> readLine(String line) {
        String[] fields = line.split("\t", FIELDS);
        boolean isWhole = fields.length == FIELDS
                && Arrays.stream(new int[] {1, 3, 4}).allMatch(number -> fields[number].matches("\\d{1,9}"));
        return isWhole
                ? Optional.of(new ChosenSize(
                        fields[0],
                        Integer.parseInt(fields[1]),
                        fields[2],
                        Integer.parseInt(fields[3]),
                        Integer.parseInt(fields[4]),
                        fields[5]))
                : Optional.empty();
    }
}
