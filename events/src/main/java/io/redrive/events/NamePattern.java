package io.redrive.events;

import java.util.Comparator;

/**
 * A pattern over event names: an exact name, a prefix such as {@code ml.run.*} (one or more further words), or {@code
 * *} for every name. Of several matching patterns the most specific wins: an exact name before any prefix, a longer
 * prefix before a shorter prefix.
 */
public record NamePattern(String text) {

    /** Most specific first; ties in alphabetical order. */
    public static final Comparator<NamePattern> MOST_SPECIFIC_FIRST = Comparator.comparing(NamePattern::isExact)
            .thenComparing(pattern -> pattern.text.length())
            .reversed()
            .thenComparing(NamePattern::text);

    /** Refuses a text that is not a pattern. */
    public NamePattern {
        boolean valid = text != null && (text.equals("*") || isName(text.endsWith(".*") ? stem(text) : text));
        if (!valid) {
            throw new IllegalArgumentException(
                    "name pattern must be an event name, a prefix such as ml.run.* or *; got " + Texts.shown(text));
        }
    }

    /** Returns true when the pattern matches {@code name}. */
    public boolean matches(String name) {
        if (text.equals("*")) {
            return true;
        }
        // "ml.run.*" keeps its dot: "ml.runner.x" does not match.
        return isExact() ? text.equals(name) : name.startsWith(text.substring(0, text.length() - 1));
    }

    /** Returns true when this pattern matches every name that {@code other} matches. */
    public boolean includes(NamePattern other) {
        if (text.equals("*") || equals(other)) {
            return true;
        }
        return !isExact() && other.text.startsWith(text.substring(0, text.length() - 1));
    }

    /**
     * Returns the lowest matching text in the order of character codes; all matching names are below {@link
     * #beyond()}.
     */
    public String lowest() {
        return isExact() ? text : text.substring(0, text.length() - 1);
    }

    /** Returns the lowest text above all matching names. */
    public String beyond() {
        if (isExact()) {
            // No character of a name is as low as a space.
            return text + ' ';
        }
        // '/' follows the dot that ends a prefix, '~' follows every character of a name.
        return text.equals("*") ? "~" : stem(text) + '/';
    }

    /** Returns true when only one name matches. */
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
