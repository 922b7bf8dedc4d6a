package io.redrive.pipelinefiles;

import io.redrive.core.SettingException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A mapping of a YAML file, read key by key; {@link #done} refuses unread keys. */
final class YamlSection {

    private final YamlValue value;
    private final Map<String, YamlValue> members;
    private final Set<String> known = new LinkedHashSet<>();

    YamlSection(YamlValue value) {
        this.value = value;
        members = value.members();
    }

    YamlValue value() {
        return value;
    }

    /** Returns the keys of the mapping. */
    Set<String> given() {
        return members.keySet();
    }

    boolean has(String key) {
        known.add(key);
        return members.containsKey(key);
    }

    Optional<YamlValue> find(String key) {
        known.add(key);
        return Optional.ofNullable(members.get(key));
    }

    YamlValue required(String key, String example) {
        return find(key)
                .orElseThrow(() -> value.wrong("must have '" + key + "', such as " + example + "; got "
                        + (members.isEmpty() ? "nothing" : String.join(", ", members.keySet()))));
    }

    /** Returns the parsed value of this key, or {@code otherwise} when the mapping does not have the key. */
    <T> T get(String key, Function<String, T> parse, T otherwise) {
        return find(key).map(found -> found.as(parse)).orElse(otherwise);
    }

    /** Refuses unknown keys: most of them are misspelled, and would have no effect. */
    void done() {
        members.forEach((key, member) -> {
            if (!known.contains(key)) {
                String meant = SettingException.nearest(key, known)
                        .map(word -> "; did you mean '" + word + "'?")
                        .orElse(".");
                throw member.wrong("must be a known key" + meant + " Known here: " + String.join(", ", known));
            }
        });
    }
}
