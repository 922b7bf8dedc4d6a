package io.redrive.events;

import java.util.Comparator;

/**
 * A pattern over event names: an exact name, a prefix such as {@code ml.run.*} (one or more further words), or
 * {@code *} for everything. The most specific of several matching patterns wins: an exact name before any prefix, a longer
 * prefix before a shorter.
 */
public record NamePattern(String text) {

    /** Most specific first; ties in alphabetical order. */
    public static final Comparator<NamePattern> MOST_SPECIFIC_FIRST = Comparator.comparing(NamePattern::isExact)
            .thenComparing(pattern -> pattern.text.length())
            .reversed()
            .thenComparing(NamePattern::text);

    /** Refuses what is no pattern. */
    public NamePattern {
        boolean valid = text != null && (text.equals("*") || isName(text.endsWith(".*") ? stem(text) : text));
        if (!valid) {
            throw new IllegalArgumentException(
                    "name pattern must be an event name, a prefix such as ml.run.* or *; got " + Texts.shown(text));
        }
    }

    /** True when {@code name} fits. */
    public boolean matches(String name) {
        if (text.equals("*")) {
            return true;
        }
        // "ml.run.*" keeps its dot: "ml.runner.x" does not fit.
        return isExact() ? text.equals(name) : name.startsWith(text.substring(0, text.length() - 1));
    }

    /** True when every name that fits {@code other} fits this one too. */
    public boolean includes(NamePattern other) {
        if (text.equals("*") || equals(other)) {
            return true;
        }
        return !isExact() && other.text.startsWith(text.substring(0, text.length() - 1));
    }

    /** The lowest text that fits, in the order of character codes; every name that fits is below {@link #beyond()}. */
    public String lowest() {
        return isExact() ? text : text.substring(0, text.length() - 1);
    }

    /** The lowest text above all names that fit. */
    public String beyond() {
        if (isExact()) {
            // No character of a name is as low as a space.
            return text + ' ';
        }
        // '/' comes right after the dot that ends a prefix, '~' after every character of a name.
        return text.equals("*") ? "~" : stem(text) + '/';
    }

    /** True when it names one event. */
    public boolean isExact() {
        return !text.endsWith("*");
    }

    private static String stem(String prefix) {
        return prefix.substring(0, prefix.length() - 2);
    }

    private static boolean isName(String text) {
        try {
            EventName.require(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
