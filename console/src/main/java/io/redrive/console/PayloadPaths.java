package io.redrive.console;

import io.redrive.events.DeadLetter;
import io.redrive.events.JsonPayload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Collects the names of the fields in JSON payloads, for suggestions. */
final class PayloadPaths {

    private static final int MOST = 40;
    private static final int LETTERS = 10;
    private static final int LONGEST_PAYLOAD = 64 * 1024;
    private static final int LONGEST_PATH = 80;

    private PayloadPaths() {}

    /** Returns the paths of fields, such as {@code customer.id}, in the first letters of a list; elements of arrays have no index. */
    static SortedSet<String> of(List<DeadLetter> letters) {
        SortedSet<String> paths = new TreeSet<>();
        letters.stream()
                .limit(LETTERS)
                .filter(letter -> JsonPayload.isJson(letter.event().contentType())
                        && letter.event().payloadSize() <= LONGEST_PAYLOAD)
                .map(letter -> new String(letter.event().payload(), StandardCharsets.UTF_8))
                .forEach(json -> JsonNode.read(json).ifPresent(node -> collect(node, "", paths)));
        return paths;
    }

    private static void collect(JsonNode node, String path, SortedSet<String> paths) {
        for (JsonNode child : node.children()) {
            String at =
                    node.kind() == JsonNode.Kind.ARRAY ? path : path.isEmpty() ? child.key() : path + "." + child.key();
            if (at.length() > LONGEST_PATH) {
                continue;
            }
            if (child.isContainer()) {
                collect(child, at, paths);
            } else if (paths.size() < MOST && !at.isEmpty()) {
                paths.add(at);
            }
        }
    }

    /** Returns the text that finds payloads with the field of a path: its name in quotes. */
    static String text(String path) {
        return "\"" + path.substring(path.lastIndexOf('.') + 1) + "\"";
    }
}
