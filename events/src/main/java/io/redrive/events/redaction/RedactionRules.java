package io.redrive.events.redaction;

import io.redrive.core.SettingException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads the rules of a {@link Redaction} and sorts them by kind. Not changed once the redaction is made. */
final class RedactionRules {

    static final int MAX_RULES = 1_000;

    private static final int LONGEST_RULE = 1_000;
    private static final String HEADER = "header:";
    private static final String PATTERN = "pattern:";

    /** The segments of each pointer. */
    final List<List<String>> pointers = new ArrayList<>();

    final List<Pattern> patterns = new ArrayList<>();
    private final Set<String> headers = new HashSet<>();

    int size() {
        return pointers.size() + patterns.size() + headers.size();
    }

    boolean hasHeader(String name) {
        return headers.contains("*") || headers.contains(name.toLowerCase(Locale.ROOT));
    }

    void add(String key, String rule) {
        if (size() >= MAX_RULES) {
            throw SettingException.of(key, "there must be at most " + MAX_RULES + " rules", rule);
        }
        if (rule.length() > LONGEST_RULE) {
            throw SettingException.of(key, "must be at most " + LONGEST_RULE + " characters", rule);
        }
        if (rule.startsWith(HEADER) && rule.length() > HEADER.length()) {
            headers.add(rule.substring(HEADER.length()).strip().toLowerCase(Locale.ROOT));
        } else if (rule.startsWith(PATTERN)) {
            patterns.add(pattern(key, rule));
        } else if (rule.startsWith("/") && rule.length() > 1) {
            pointers.add(segments(rule));
        } else {
            throw SettingException.of(
                    key, "must be a JSON pointer such as /card/number, header:NAME or pattern:EXPRESSION", rule);
        }
    }

    private static List<String> segments(String pointer) {
        List<String> segments = new ArrayList<>();
        for (String segment : pointer.substring(1).split("/", -1)) {
            segments.add(segment.replace("~1", "/").replace("~0", "~"));
        }
        return segments;
    }

    private static Pattern pattern(String key, String rule) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(rule.substring(PATTERN.length()));
        } catch (PatternSyntaxException e) {
            throw SettingException.of(
                    key,
                    "must be a regular expression after pattern: (" + e.getDescription() + " at character "
                            + (e.getIndex() + PATTERN.length() + 1) + ")",
                    rule);
        }
        // Such a pattern matches everywhere and names no value.
        if (pattern.matcher("").find()) {
            throw SettingException.of(key, "must not match the empty text", rule);
        }
        return pattern;
    }
}
