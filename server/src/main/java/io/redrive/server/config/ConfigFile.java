package io.redrive.server.config;

import io.redrive.core.SettingException;
import io.redrive.pipelinefiles.YamlFile;
import io.redrive.pipelinefiles.YamlValue;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * A configuration file, read into settings. A key such as {@code store.path} becomes {@code redrive.store.path}; a name that the
 * user chose, such as a pattern, stands in brackets.
 */
public final class ConfigFile {

    /** The prefix of all settings. */
    static final String PREFIX = "redrive";

    private static final int MAX_DEPTH = 20;
    private static final int MAX_VALUES = 100_000;

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, YamlValue> values = new LinkedHashMap<>();
    private int read;

    private ConfigFile() {}

    /** Returns the configuration without a file: defaults only. */
    public static ConfigFile none() {
        return new ConfigFile();
    }

    /**
     * Reads a file. Unknown keys and wrong values are found later, by {@link ServerConfiguration#check}.
     *
     * @throws IllegalArgumentException when the file cannot be read or is no YAML mapping; the message has file and line
     */
    public static ConfigFile read(Path file) {
        ConfigFile config = new ConfigFile();
        YamlFile.top(file, "the configuration file").ifPresent(top -> config.add(PREFIX, top, 0));
        return config;
    }

    private void add(String key, YamlValue value, int depth) {
        if (++read > MAX_VALUES || depth > MAX_DEPTH) {
            throw value.wrong("must have at most " + MAX_VALUES + " values in at most " + MAX_DEPTH + " levels");
        }
        values.put(key, value);
        if (value.isNothing()) {
            return;
        }
        if (value.isMapping() || depth == 0) {
            value.members().forEach((name, member) -> add(below(key, name), member, depth + 1));
        } else if (value.isList()) {
            int index = 0;
            for (YamlValue item : value.items()) {
                add(key + "[" + index++ + "]", item, depth + 1);
            }
        } else {
            settings.put(key, value.text());
        }
    }

    private static String below(String key, String name) {
        return name.matches("[A-Za-z0-9_-]+") ? key + "." + name : key + "[" + name + "]";
    }

    /** Returns the settings by key. */
    public Map<String, String> settings() {
        return Collections.unmodifiableMap(settings);
    }

    /** Returns the refusal with file, line and key, when the file has the key or a key above. */
    Optional<IllegalArgumentException> refusal(SettingException refused, UnaryOperator<String> complaint) {
        String shown = complaint.apply(
                refused.isUnknownKey()
                        ? "unknown key"
                                + refused.suggestion()
                                        .map(known -> "; did you mean '" + known + "'?")
                                        .orElse(".")
                                + " Known here: " + refused.rule().replace("known settings: ", "")
                        : refused.complaint());
        return valueAt(refused.key()).map(value -> value.wrong(shown, refused));
    }

    /** Returns file and line of a key. */
    String placeOf(String key) {
        YamlValue value = values.get(key);
        return value == null
                ? "the configuration"
                : value.file().getFileName() + ":"
                        + (value.node().getStartMark().getLine() + 1);
    }

    private Optional<YamlValue> valueAt(String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
        for (int length = name.getNumberOfElements(); length > 0; length--) {
            ConfigurationPropertyName part = name.chop(length);
            Optional<YamlValue> found = values.entrySet().stream()
                    .filter(entry ->
                            ConfigurationPropertyName.adapt(entry.getKey(), '.').equals(part))
                    .map(Map.Entry::getValue)
                    .findFirst();
            if (found.isPresent() && (length > 1 || values.size() == 1)) {
                return found;
            }
        }
        return Optional.empty();
    }
}
