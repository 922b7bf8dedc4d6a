package io.redrive.server.webhook;

import io.redrive.core.DurationText;
import io.redrive.core.SettingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of the configuration whose keys are known: refuses all further keys, and each refusal names the whole key, the rule
 * and the value. Values may be YAML scalars, lists and mappings, or the texts and numbered mappings of flat properties.
 */
final class SettingSection {

    private final String path;
    private final Map<String, Object> values;

    private SettingSection(String path, Map<String, Object> values) {
        this.path = path;
        this.values = values;
    }

    /**
     * Takes a value of the configuration for a section.
     *
     * @throws SettingException if the value is no mapping, or has a key that is not in {@code known}
     */
    static SettingSection of(String path, @Nullable Object value, Set<String> known) {
        Map<String, Object> values = mapping(path, value);
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            if (!known.contains(entry.getKey())) {
                throw SettingException.unknown(entry.getKey(), shown(entry.getValue()), known)
                        .under(path + ".");
            }
        }
        return new SettingSection(path, values);
    }

    /** Returns the entries of a mapping whose keys are chosen by the user. */
    static Map<String, Object> mapping(String path, @Nullable Object value) {
        if (value == null || value instanceof String text && text.isBlank()) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw SettingException.of(path, "must be a mapping of keys to values", shown(value));
        }
        Map<String, Object> entries = new LinkedHashMap<>();
        map.forEach((key, each) -> {
            if (each != null) {
                entries.put(String.valueOf(key), each);
            }
        });
        return entries;
    }

    String key(String key) {
        return path + "." + key;
    }

    @Nullable
    Object raw(String key) {
        return values.get(key);
    }

    Optional<String> text(String key) {
        Object value = values.get(key);
        if (value instanceof Map || value instanceof List) {
            throw SettingException.of(key(key), "must be one value", shown(value));
        }
        return Optional.ofNullable(value).map(String::valueOf);
    }

    String required(String key, String rule) {
        return text(key).filter(text -> !text.isBlank()).orElseThrow(() -> SettingException.of(key(key), rule, ""));
    }

    Optional<String> oneOf(String key, List<String> choices) {
        Optional<String> text = text(key);
        if (text.isPresent() && !choices.contains(text.get())) {
            throw SettingException.of(key(key), "must be one of " + String.join(", ", choices), text.get());
        }
        return text;
    }

    boolean flag(String key) {
        return oneOf(key, List.of("true", "false")).map("true"::equals).orElse(false);
    }

    int whole(String key, int usual, int least, int most) {
        String rule = "must be a whole number from " + least + " to " + most;
        return read(key, rule, Integer::parseInt)
                .map(number -> {
                    if (number < least || number > most) {
                        throw SettingException.of(key(key), rule, String.valueOf(number));
                    }
                    return number;
                })
                .orElse(usual);
    }

    Optional<Double> number(String key, double least, double most) {
        String rule = "must be a number from " + least + " to " + most;
        return read(key, rule, Double::parseDouble).map(number -> {
            if (!(number >= least && number <= most)) {
                throw SettingException.of(key(key), rule, String.valueOf(number));
            }
            return number;
        });
    }

    Duration duration(String key, Duration usual, Duration least, Duration most) {
        String rule = "must be a duration from " + DurationText.format(least) + " to " + DurationText.format(most)
                + ", such as " + DurationText.format(usual);
        return read(key, rule, DurationText::parse)
                .map(duration -> {
                    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
                        throw SettingException.of(key(key), rule, DurationText.format(duration));
                    }
                    return duration;
                })
                .orElse(usual);
    }

    /** Returns the elements of a list, of a numbered mapping, or of a text with commas. */
    List<String> list(String key) {
        Object value = values.get(key);
        if (value == null) {
            return List.of();
        }
        List<String> elements = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(each -> elements.add(String.valueOf(each)));
        } else if (value instanceof Map<?, ?> map) {
            Map<Integer, String> numbered = new TreeMap<>();
            map.forEach((index, each) -> numbered.put(index(key, index), String.valueOf(each)));
            elements.addAll(numbered.values());
        } else {
            for (String each : String.valueOf(value).split(",")) {
                elements.add(each.strip());
            }
        }
        return elements;
    }

    private int index(String key, Object index) {
        if (!String.valueOf(index).matches("\\d{1,6}")) {
            throw SettingException.of(key(key), "must be a list", String.valueOf(index));
        }
        return Integer.parseInt(String.valueOf(index));
    }

    private <T> Optional<T> read(String key, String rule, Function<String, T> reader) {
        Optional<String> text = text(key);
        try {
            return text.map(String::strip).map(reader);
        } catch (IllegalArgumentException e) {
            throw SettingException.of(key(key), rule, text.orElse(""));
        }
    }

    private static String shown(@Nullable Object value) {
        return value instanceof Map || value instanceof List ? "" : String.valueOf(value);
    }
}
