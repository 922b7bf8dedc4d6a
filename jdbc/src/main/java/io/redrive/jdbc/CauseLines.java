package io.redrive.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;

/** Causes with their numbers of letters as text: one line for each cause. */
final class CauseLines {

    private CauseLines() {}

    /** A fingerprint may contain any character except a line break. */
    static String write(Map<String, Long> counts) {
        StringBuilder lines = new StringBuilder();
        counts.forEach((cause, count) ->
                lines.append(count).append(' ').append(cause.replace('\n', ' ')).append('\n'));
        return lines.toString();
    }

    static Map<String, Long> read(String lines) {
        Map<String, Long> counts = new LinkedHashMap<>();
        lines.lines().forEach(line -> {
            int space = line.indexOf(' ');
            counts.merge(line.substring(space + 1), Long.valueOf(line.substring(0, space)), Long::sum);
        });
        return counts;
    }
}
