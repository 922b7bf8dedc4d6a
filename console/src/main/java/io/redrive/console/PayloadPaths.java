package io.redrive.console;

import io.redrive.events.DeadLetter;
import io.redrive.events.JsonPayload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Collects the fields of JSON payloads and the values that letters share, as suggestions for filters and expressions. */
final class PayloadPaths {

    /** The most letters whose payloads are read for suggestions. */
    static final int LETTERS = 10;

    private static final int MOST = 40;
    private static final int LONGEST_PAYLOAD = 64 * 1024;
    private static final int LONGEST_PATH = 80;
    private static final int LONGEST_VALUE = 40;
    /** A field with more different values, such as an id, separates no group of letters. */
    private static final int MOST_VALUES = 3;

    private final Map<String, Set<String>> values = new TreeMap<>();
    private final Set<String> names = new TreeSet<>();

    private PayloadPaths() {}

    /**
     * Returns fields of the first letters of a list for the filter by payload: {@code /customer/country=CH} for each value where letters
     * share few, else {@code /customer/id=} for the operator to go on.
     */
    static List<String> suggested(List<DeadLetter> letters) {
        List<String> suggested = new ArrayList<>();
        in(letters).values.forEach((pointer, found) -> {
            boolean few = found.size() <= MOST_VALUES
                    && found.stream().allMatch(value -> value.length() <= LONGEST_VALUE && !value.isEmpty());
            (few ? found : Set.of("")).forEach(value -> suggested.add(pointer + "=" + value));
        });
        return List.copyOf(suggested);
    }

    /** Returns the paths of the fields of the first letters of a list, such as {@code customer.id}, without indexes of arrays. */
    static Set<String> fields(List<DeadLetter> letters) {
        return in(letters).names;
    }

    private static PayloadPaths in(List<DeadLetter> letters) {
        PayloadPaths paths = new PayloadPaths();
        letters.stream()
                .limit(LETTERS)
                .filter(letter -> JsonPayload.isJson(letter.event().contentType())
                        && letter.event().payloadSize() <= LONGEST_PAYLOAD)
                .map(letter -> new String(letter.event().payload(), StandardCharsets.UTF_8))
                .forEach(json -> JsonTree.read(json).ifPresent(node -> paths.collect(node, "", "")));
        return paths;
    }

    private void collect(JsonNode node, String pointer, String path) {
        int index = 0;
        for (JsonNode child : node.children()) {
            boolean element = node.kind() == JsonNode.Kind.ARRAY;
            String key = element ? String.valueOf(index++) : child.key();
            String at = pointer + "/" + key.replace("~", "~0").replace("/", "~1");
            String name = element ? path : path.isEmpty() ? key : path + "." + key;
            if (at.length() > LONGEST_PATH) {
                continue;
            }
            if (child.isContainer()) {
                collect(child, at, name);
            } else {
                add(at, name, child.text());
            }
        }
    }

    private void add(String pointer, String name, String value) {
        if (pointer.indexOf('=') < 0 && (values.size() < MOST || values.containsKey(pointer))) {
            values.computeIfAbsent(pointer, key -> new LinkedHashSet<>()).add(value);
        }
        if (!name.isEmpty() && names.size() < MOST) {
            names.add(name);
        }
    }
}
