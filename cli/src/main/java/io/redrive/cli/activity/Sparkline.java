package io.redrive.cli.activity;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Draws numbers as one line of bars, from nothing to the largest number. Zero has a character of its own, so that the lowest bar
 * always means that something happened.
 *
 * @param zero the character for zero
 * @param levels the characters from the lowest bar to the highest
 */
record Sparkline(String zero, String levels) {

    private static final Sparkline BLOCKS = new Sparkline("·", "▁▂▃▄▅▆▇█");
    private static final Sparkline ASCII = new Sparkline("_", ".:-=+*#@");

    /** Returns bars of ASCII characters when the locale names another encoding than UTF-8, else bars of blocks. */
    static Sparkline of(Map<String, String> environment) {
        boolean otherEncoding = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(variable -> environment.getOrDefault(variable, ""))
                .filter(locale -> !locale.isEmpty())
                .findFirst()
                .map(locale -> !locale.toLowerCase(Locale.ROOT).replace("-", "").contains("utf8"))
                .orElse(false);
        return otherEncoding ? ASCII : BLOCKS;
    }

    /** Returns a bar for each number. */
    String draw(List<Long> numbers) {
        long most = numbers.stream().mapToLong(Long::longValue).max().orElse(0);
        return numbers.stream().map(number -> bar(number, most)).collect(Collectors.joining());
    }

    private String bar(long number, long most) {
        if (number == 0) {
            return zero;
        }
        int level = (int) Math.ceil((double) number / most * levels.length()) - 1;
        return levels.substring(level, level + 1);
    }
}
