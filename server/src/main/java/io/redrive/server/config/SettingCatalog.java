package io.redrive.server.config;

import io.redrive.spring.CheckedSettings;
import io.redrive.spring.DerivedDefaults;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All settings with type, default and description, as the compiler found them in the records of settings. Settings below a name that
 * the user chooses are listed once, with {@code NAME} or {@code PATTERN} in place of the name.
 */
public final class SettingCatalog {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final String PREFIX = "redrive.";
    private static final Pattern BY_NAME = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,\\s*([\\w.$]+)>");
    /** Settings of actors and topics are for applications, and a server is always enabled. */
    private static final List<String> LEFT_OUT =
            List.of("redrive.actors", "redrive.kafka", "redrive.enabled", "redrive.seed");

    private SettingCatalog() {}

    /**
     * One setting.
     *
     * @param key the key in the configuration file, such as {@code http.port}
     * @param type the type of the value, for readers
     * @param usual the default; empty when there is none
     * @param description the description
     */
    public record Entry(String key, String type, String usual, String description) {

        /** Returns true for a setting below a name that the user chooses. */
        public boolean isBelowName() {
            return key.contains("NAME") || key.contains("PATTERN");
        }
    }

    /** Returns the settings of starter and server, sorted by key. */
    public static List<Entry> entries() {
        Map<String, Entry> entries = new TreeMap<>();
        Properties own = ownDefaults();
        for (JsonNode document : documents()) {
            for (JsonNode property : document.path("properties")) {
                String name = property.path("name").asString("");
                if (name.startsWith(PREFIX) && LEFT_OUT.stream().noneMatch(name::startsWith)) {
                    add(entries, name.substring(PREFIX.length()), property);
                }
            }
        }
        Map<String, String> usual = derived(own);
        own.stringPropertyNames().stream()
                .filter(key -> key.startsWith(PREFIX))
                .forEach(key -> usual.put(key.substring(PREFIX.length()), own.getProperty(key)));
        entries.replaceAll((key, entry) ->
                new Entry(key, entry.type(), usual.getOrDefault(key, entry.usual()), entry.description()));
        return List.copyOf(entries.values());
    }

    /** Returns the defaults of a server that depend on other settings. */
    private static Map<String, String> derived(Properties own) {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        sources.remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        sources.addLast(new PropertiesPropertySource("own", own));
        return DerivedDefaults.of(CheckedSettings.of(environment));
    }

    /** Returns the defaults in which a server differs from other applications. */
    static Properties ownDefaults() {
        Properties own = new Properties();
        try (InputStream in = SettingCatalog.class.getResourceAsStream("/application.properties")) {
            own.load(Objects.requireNonNull(in, "application.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the defaults of the server", e);
        }
        return own;
    }

    private static void add(Map<String, Entry> entries, String key, JsonNode property) {
        String type = property.path("type").asString("");
        var byName = BY_NAME.matcher(type);
        String placeholder = key.startsWith("events.") ? "PATTERN" : "NAME";
        if (byName.matches() && isRecord(byName.group(1))) {
            addRecord(entries, key + "." + placeholder, byName.group(1));
        } else {
            String shown = byName.matches() ? key + "." + placeholder : key;
            entries.put(
                    shown,
                    new Entry(
                            shown,
                            shortType(
                                    byName.matches() && !byName.group(1).startsWith("java.") ? byName.group(1) : type),
                            usual(property.path("defaultValue")),
                            property.path("description").asString("")));
        }
    }

    private static boolean isRecord(String type) {
        try {
            return Class.forName(type).isRecord();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the settings name a class that is not there: " + type, e);
        }
    }

    /** Keys of a record below a name: the compiler describes the record, when its settings are nested, by its components alone. */
    private static void addRecord(Map<String, Entry> entries, String key, String type) {
        try {
            Class<?> record = Class.forName(type);
            for (var component : record.getRecordComponents()) {
                String below = key + "." + dashed(component.getName());
                entries.put(
                        below,
                        new Entry(below, shortType(component.getGenericType().getTypeName()), "", ""));
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the settings name a class that is not there: " + type, e);
        }
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }

    private static String usual(JsonNode value) {
        return value.isMissingNode() ? "" : value.isString() ? value.asString() : value.toString();
    }

    private static String shortType(String type) {
        String plain = type.replaceAll("[\\w.]+\\.List<", "list of ").replace(">", "");
        String word =
                plain.replaceAll("[\\w.]+[.$](\\w+)$", "$1").replaceAll("list of [\\w.]+[.$](\\w+)$", "list of $1");
        return switch (word) {
            case "Integer", "Long", "int", "long" -> "whole number";
            case "Double", "double" -> "number";
            case "Boolean", "boolean" -> "true or false";
            case "String" -> "text";
            case "Path" -> "file";
            case "Duration" -> "duration";
            case "DataSize" -> "size";
            case "list of String" -> "list of texts";
            case "list of Integer" -> "list of whole numbers";
            case "list of Duration" -> "list of durations";
            default -> word.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(java.util.Locale.ROOT);
        };
    }

    private static List<JsonNode> documents() {
        List<JsonNode> documents = new ArrayList<>();
        try {
            for (URL url :
                    Collections.list(SettingCatalog.class.getClassLoader().getResources(METADATA))) {
                if (url.toString().contains("redrive") || url.getProtocol().equals("file")) {
                    try (InputStream in = url.openStream()) {
                        documents.add(new JsonMapper().readTree(in));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the descriptions of settings", e);
        }
        return documents;
    }
}
