package io.redrive.spring;

import io.redrive.core.SettingException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * Knows the keys below {@code redrive} from the records of settings, and refuses all further keys. The
 * {@link SettingException} suggests the nearest known key, or shows where brackets are missing.
 */
final class SettingKeys {

    /** The first element of all keys. */
    static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("redrive");

    private static final String IN_BRACKETS = "a name with dots or stars stands in brackets: write ";

    /**
     * A part of a key: a group contains parts with known names, a map contains parts with names chosen by the user, a value
     * ends the key.
     */
    private sealed interface Part {
        record Group(Map<String, String> names, Map<String, Part> parts) implements Part {}

        record ByName(Part each) implements Part {}

        record Value() implements Part {}

        /** Keys that the reader of the section checks. */
        record Unchecked() implements Part {}
    }

    private static final Part.Group KNOWN = known();

    private SettingKeys() {}

    /**
     * Refuses {@code key} when Spring would read a different key: Spring drops letters not allowed in keys, for example the
     * stars of a pattern without brackets.
     */
    static void checkLetters(String key, String value) {
        String plain = key.replaceAll("\\[[^]]*]", "");
        if (plain.matches("[A-Za-z0-9._-]*")) {
            return;
        }
        throw SettingException.of(key, IN_BRACKETS + "redrive.events.policies[order.*].max-attempts", value);
    }

    /** Refuses {@code name}, a key below {@link #ROOT} with {@code value}, unless it is known. */
    static void check(ConfigurationPropertyName name, String value) {
        Part at = KNOWN;
        int named = 0;
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            if (at instanceof Part.Group group) {
                at = group.parts.get(name.getElement(i, Form.UNIFORM));
                if (at == null || inBrackets(name, i)) {
                    throw unknown(name, i, named, group, value);
                }
            } else if (at instanceof Part.ByName map) {
                at = map.each;
                named = i;
                if (!inBrackets(name, i) && !SettingPath.isPlain(name.getElement(i, Form.ORIGINAL))) {
                    throw withoutBrackets(name, i, endOfName(name, i + 1, at), value);
                }
            } else if (at instanceof Part.Unchecked) {
                return;
            } else if (!name.isNumericIndex(i)) {
                throw named == i - 1
                        ? withoutBrackets(name, named, name.getNumberOfElements(), value)
                        : SettingException.of(name.toString(), "has no keys below " + name.chop(i), value);
            }
        }
        if (!(at instanceof Part.Value) && !(at instanceof Part.Unchecked) && !value.isBlank()) {
            throw SettingException.of(name.toString(), "holds keys and has no value of its own", value);
        }
    }

    private static SettingException unknown(
            ConfigurationPropertyName name, int at, int named, Part.Group group, String value) {
        int end = named == 0 || named != at - 1 ? at : endOfName(name, at, group);
        if (end > at && !inBrackets(name, named)) {
            return withoutBrackets(name, named, end, value);
        }
        return SettingException.unknown(name.getElement(at, Form.ORIGINAL), value, new TreeSet<>(group.names.values()))
                .under(name.chop(at) + ".");
    }

    /**
     * Returns the index at which a name without brackets ends: at the first part of {@code below}, or {@code from} without
     * any.
     */
    private static int endOfName(ConfigurationPropertyName name, int from, Part below) {
        if (!(below instanceof Part.Group group)) {
            return name.getNumberOfElements();
        }
        return IntStream.range(from, name.getNumberOfElements())
                .filter(i -> group.parts.containsKey(name.getElement(i, Form.UNIFORM)))
                .findFirst()
                .orElse(from);
    }

    private static SettingException withoutBrackets(ConfigurationPropertyName name, int from, int to, String value) {
        String inBrackets = IntStream.range(from, to)
                .mapToObj(i -> name.getElement(i, Form.ORIGINAL))
                .collect(Collectors.joining("."));
        String rest = IntStream.range(to, name.getNumberOfElements())
                .mapToObj(i -> "." + name.getElement(i, Form.ORIGINAL))
                .collect(Collectors.joining());
        return SettingException.of(
                name.toString(),
                IN_BRACKETS + name.chop(from) + "[" + inBrackets + "]" + rest + " (in YAML \"[" + inBrackets + "]\")",
                value);
    }

    private static boolean inBrackets(ConfigurationPropertyName name, int at) {
        return name.chop(at + 1).isLastElementIndexed();
    }

    private static Part.Group known() {
        Part.Group known = groupOf(RedriveProperties.class);
        add(known, "actors", groupOf(ActorsProperties.class));
        Part.Group kafka = groupOf(KafkaProperties.class);
        // Settings of Kafka's clients have dots and are checked by the clients.
        add(kafka, "client", new Part.Unchecked());
        add(known, "kafka", kafka);
        // The console reads its own keys, and is no dependency of the starter.
        Part.Group console = new Part.Group(new LinkedHashMap<>(), new LinkedHashMap<>());
        add(console, "path", new Part.Value());
        add(console, "streams", new Part.Value());
        add(console, "enabled", new Part.Value());
        add(known, "console", console);
        // A system property of the testkit: contracts for stores may run in one process with an application's tests.
        add(known, "seed", new Part.Value());
        SpringFactoriesLoader.forDefaultResourceLocation()
                .load(SettingGroup.class)
                .forEach(more -> addAll(known, more.settings()));
        return known;
    }

    private static Part.Group groupOf(Class<?> type) {
        Part.Group group = new Part.Group(new LinkedHashMap<>(), new LinkedHashMap<>());
        addAll(group, type);
        return group;
    }

    private static void addAll(Part.Group group, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            add(group, DataObjectPropertyName.toDashedForm(component.getName()), partOf(component.getGenericType()));
        }
    }

    private static void add(Part.Group group, String name, Part part) {
        String uniform = ConfigurationPropertyName.of(name).getElement(0, Form.UNIFORM);
        group.names.put(uniform, name);
        group.parts.put(uniform, part);
    }

    private static Part partOf(Type type) {
        if (type == Object.class) {
            return new Part.Unchecked();
        }
        if (type instanceof Class<?> plain) {
            return plain.isRecord() ? groupOf(plain) : new Part.Value();
        }
        return type instanceof ParameterizedType generic && generic.getRawType() == Map.class
                ? new Part.ByName(partOf(generic.getActualTypeArguments()[1]))
                : new Part.Value();
    }
}
