package io.redrive.console;

import io.redrive.core.PolicyLint;
import io.redrive.core.Presets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The settings of a policy as the fields of a form. A blank field names no key.
 *
 * @param pattern the names of events, as typed
 * @param values the values of the fields by key
 * @param further keys without a field of their own, one {@code key=value} in each line
 */
record PolicyForm(String pattern, Map<String, String> values, String further) {

    /** The mark of a form that was sent: without it, the form shows the shared settings. */
    static final String SENT = "sent";

    /** The backoffs to choose from. */
    static final List<String> BACKOFFS = List.of("none", "fixed", "linear", "exponential", "delays");

    private static final List<String> FIELDS = List.of(
            "preset",
            "max-attempts",
            "backoff",
            "initial-delay",
            "max-delay",
            "multiplier",
            "increment",
            "delays",
            "jitter",
            "max-duration");

    /** Returns the form as sent, or the shared settings of the pattern when the form was only opened. */
    static PolicyForm of(Visit visit, Map<String, Map<String, String>> shared) {
        String pattern = visit.param("pattern");
        if (visit.param(SENT).isEmpty()) {
            return of(pattern, shared.getOrDefault(pattern, Map.of()));
        }
        Map<String, String> values = new LinkedHashMap<>();
        FIELDS.forEach(key -> values.put(key, visit.param(key)));
        return new PolicyForm(pattern, values, visit.param("further"));
    }

    private static PolicyForm of(String pattern, Map<String, String> settings) {
        Map<String, String> values = new LinkedHashMap<>();
        FIELDS.forEach(key -> values.put(key, settings.getOrDefault(key, "")));
        Map<String, String> rest = new TreeMap<>(settings);
        rest.keySet().removeAll(FIELDS);
        return new PolicyForm(pattern, values, text(rest));
    }

    static Set<String> presets() {
        return Presets.all().keySet();
    }

    String value(String key) {
        return values.getOrDefault(key, "");
    }

    /** Returns the settings that the form names. */
    Map<String, String> named() {
        Map<String, String> named = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (!value.isBlank()) {
                named.put(key, value);
            }
        });
        further.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            String[] parts = line.split("[=:]", 2);
            named.put(parts[0].strip(), parts.length < 2 ? "" : parts[1].strip());
        });
        named.forEach((key, value) -> {
            if (value.isEmpty()) {
                throw new IllegalArgumentException(
                        "further settings have the form key=value, one in each line; got '" + key + "'");
            }
        });
        return named;
    }

    /** Returns the change from the shared settings to this form: keys that the form does not name are removed. */
    Map<String, String> change(Map<String, String> sharedBefore) {
        Map<String, String> change = new LinkedHashMap<>();
        sharedBefore.keySet().forEach(key -> change.put(key, ""));
        change.putAll(named());
        return change;
    }

    /** Returns settings without an effect, as warnings. */
    List<String> unused() {
        String backoff = value("backoff");
        return backoff.isEmpty() || !BACKOFFS.contains(backoff)
                ? List.of()
                : PolicyLint.unusedKeys(backoff, new TreeSet<>(named().keySet())).stream()
                        .map(key -> key + " has no effect with the backoff " + backoff)
                        .toList();
    }

    /** Returns the form for an address or for hidden fields. */
    Query query() {
        Query query = Query.NONE.plus("pattern", pattern).plus(SENT, "1");
        for (Map.Entry<String, String> field : values.entrySet()) {
            query = query.plus(field.getKey(), field.getValue());
        }
        return query.plus("further", further);
    }

    /** Returns settings as text, one in each line by key. */
    static String text(Map<String, String> settings) {
        return new TreeMap<>(settings)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining("\n"));
    }
}
