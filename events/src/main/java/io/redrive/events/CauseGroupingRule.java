package io.redrive.events;

import io.redrive.core.SettingException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One rule of a {@link CauseGrouping}.
 *
 * @param which tells whether the rule is about a failure
 * @param fingerprint makes the fingerprint of such a failure
 */
record CauseGroupingRule(Predicate<Failed> which, Function<Failed, String> fingerprint) {

    private static final Pattern FORM = Pattern.compile("(\\S+)\\s+(by|as)\\s+(\\S+)");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final Pattern UNUSUAL = Pattern.compile("[^A-Za-z0-9_-]");
    private static final String HEADER = "header:";
    private static final int LONGEST_VALUE = 40;
    private static final int HASH = 6;

    /** A failed event with its fingerprint without rules. */
    record Failed(String errorType, String plain, Event event) {}

    static CauseGroupingRule read(String key, String rule) {
        Matcher parts = FORM.matcher(rule.strip());
        if (!parts.matches()) {
            throw SettingException.of(
                    key, "must be WHICH by KEY or WHICH as LABEL, such as type:IOException by name", rule);
        }
        Predicate<Failed> which = which(key, rule, parts.group(1));
        return parts.group(2).equals("by")
                ? new CauseGroupingRule(which, split(key, rule, parts.group(3)))
                : new CauseGroupingRule(which, joined(key, rule, parts.group(3)));
    }

    private static Predicate<Failed> which(String key, String rule, String text) {
        int colon = text.indexOf(':');
        String value = text.substring(colon + 1);
        return switch (value.isEmpty() ? "" : text.substring(0, colon + 1)) {
            case "type:" -> failed -> failed.errorType().equals(value);
            case "cause:" -> failed -> failed.plain().equals(value);
            case "name:" -> {
                NamePattern pattern = pattern(key, rule, value);
                yield failed -> pattern.matches(failed.event().name());
            }
            default -> {
                if (!text.equals("*")) {
                    throw SettingException.of(
                            key, "must begin with *, type:TYPE, name:PATTERN or cause:FINGERPRINT", rule);
                }
                yield failed -> true;
            }
        };
    }

    private static NamePattern pattern(String key, String rule, String value) {
        try {
            return new NamePattern(value);
        } catch (IllegalArgumentException e) {
            throw SettingException.because(key, rule, e);
        }
    }

    private static Function<Failed, String> joined(String key, String rule, String label) {
        if (!LABEL.matcher(label).matches()) {
            throw SettingException.of(key, "must have a LABEL of 1 to 40 letters, digits, - and _", rule);
        }
        return failed -> label;
    }

    private static Function<Failed, String> split(String key, String rule, String by) {
        Function<Event, Optional<String>> value = valueOf(key, rule, by);
        return failed -> value.apply(failed.event())
                .filter(found -> !found.isBlank())
                .map(found -> failed.plain() + "." + readable(found))
                .orElse(failed.plain());
    }

    private static Function<Event, Optional<String>> valueOf(String key, String rule, String by) {
        if (by.equals("name")) {
            return event -> Optional.of(event.name());
        }
        if (by.equals("source")) {
            return event -> Optional.of(event.source());
        }
        if (by.startsWith(HEADER) && by.length() > HEADER.length()) {
            String header = by.substring(HEADER.length());
            return event -> event.headers().entrySet().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(header))
                    .map(Map.Entry::getValue)
                    .findFirst();
        }
        if (by.startsWith("/") && by.length() > 1) {
            JsonPointerValue pointer = new JsonPointerValue(by);
            return event -> JsonPayload.isJson(event.contentType()) ? pointer.in(event.payload()) : Optional.empty();
        }
        throw SettingException.of(key, "must have a KEY that is name, source, header:NAME or a JSON pointer", rule);
    }

    /** Returns the value as part of a fingerprint; a hash tells values apart that look the same after a cut or a replacement. */
    private static String readable(String value) {
        String plain = UNUSUAL.matcher(Texts.cut(value, LONGEST_VALUE)).replaceAll("-");
        return plain.equals(value)
                ? value
                : plain + "-" + Fingerprint.hash(value).substring(0, HASH);
    }
}
