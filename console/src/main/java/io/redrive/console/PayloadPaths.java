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

/** Collects the fields of JSON payloads and the values that letters share, as suggestions for the filter by text. */
final class PayloadPaths {

    private static final int MOST = 40;
    private static final int LETTERS = 10;
    private static final int LONGEST_PAYLOAD = 64 * 1024;
    private static final int LONGEST_PATH = 80;
    private static final int LONGEST_VALUE = 40;
    /** A field with more different values, such as an id, separates no group of letters. */
    private static final int MOST_VALUES = 3;

    /**
     * A text to filter by.
     *
     * @param text the text that payloads with the field, or with the value in the field, contain
     * @param words the path of the field, and its value where the text has one
     */
    record Suggested(String text, String words) {}

    private final Map<String, Set<String>> values = new TreeMap<>();

    private PayloadPaths() {}

    /**
     * Returns the fields of the first letters of a list by their paths, such as {@code customer.id}, each followed by its values where
     * letters share few. Elements of arrays have no index.
     */
    static List<Suggested> of(List<DeadLetter> letters) {
        return in(letters).suggested();
    }

    /** Returns the paths of the fields of the first letters of a list. */
    static Set<String> fields(List<DeadLetter> letters) {
        return in(letters).values.keySet();
    }

    private static PayloadPaths in(List<DeadLetter> letters) {
        PayloadPaths paths = new PayloadPaths();
        letters.stream()
                .limit(LETTERS)
                .filter(letter -> JsonPayload.isJson(letter.event().contentType())
                        && letter.event().payloadSize() <= LONGEST_PAYLOAD)
                .map(letter -> new String(letter.event().payload(), StandardCharsets.UTF_8))
                .forEach(json -> JsonNode.read(json).ifPresent(node -> paths.collect(node, "", json)));
        return paths;
    }

    private void collect(JsonNode node, String path, String json) {
        for (JsonNode child : node.children()) {
            String at =
                    node.kind() == JsonNode.Kind.ARRAY ? path : path.isEmpty() ? child.key() : path + "." + child.key();
            if (at.length() > LONGEST_PATH) {
                continue;
            }
            if (child.isContainer()) {
                collect(child, at, json);
            } else if (!at.isEmpty() && (values.size() < MOST || values.containsKey(at))) {
                values.computeIfAbsent(at, key -> new LinkedHashSet<>()).add(spelled(child, json));
            }
        }
    }

    /** Returns the field with its value as the payload spells both; empty for a spelling that the filter would not find. */
    private static String spelled(JsonNode leaf, String json) {
        String value = leaf.kind() == JsonNode.Kind.STRING ? "\"" + leaf.text() + "\"" : leaf.text();
        for (String between : List.of("\":", "\": ")) {
            String text = "\"" + leaf.key() + between + value;
            if (value.length() <= LONGEST_VALUE && json.contains(text)) {
                return text;
            }
        }
        return "";
    }

    private List<Suggested> suggested() {
        List<Suggested> suggested = new ArrayList<>();
        values.forEach((path, spelled) -> {
            String field = "\"" + path.substring(path.lastIndexOf('.') + 1) + "\"";
            suggested.add(new Suggested(field, path));
            if (spelled.size() <= MOST_VALUES) {
                spelled.stream()
                        .filter(text -> !text.isEmpty())
                        .forEach(text -> suggested.add(new Suggested(
                                text,
                                path + " = "
                                        + text.substring(field.length() + 1).strip())));
            }
        });
        return List.copyOf(suggested);
    }
}
