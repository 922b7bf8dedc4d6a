package io.redrive.operations.difference;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** All values of a JSON payload by their JSON pointers, in the order of the payload; empty objects and arrays are values. */
final class FlatPayload {

    /** The most values that are read. */
    static final int MAX_VALUES = 20_000;
    /** Deeper values are left out: a pointer grows with the depth. */
    static final int MAX_DEPTH = 64;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private static final int MAX_POINTER = 1_000;

    private final Map<String, String> values = new LinkedHashMap<>();
    private boolean whole = true;

    private static final class Level {
        private final @Nullable String pointer;
        private final boolean array;
        private int elements;
        private String name = "";

        Level(@Nullable String pointer, boolean array) {
            this.pointer = pointer;
            this.array = array;
        }
    }

    private FlatPayload() {}

    /** Reads a payload; empty when the payload is not JSON. */
    static Optional<FlatPayload> of(byte[] payload) {
        FlatPayload flat = new FlatPayload();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), payload)) {
            Deque<Level> levels = new ArrayDeque<>();
            int roots = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                roots += levels.isEmpty() ? 1 : 0;
                flat.take(parser, token, levels);
            }
            return roots == 1 ? Optional.of(flat) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    Map<String, String> values() {
        return values;
    }

    /** Returns false when values were left out. */
    boolean isWhole() {
        return whole;
    }

    private void take(JsonParser parser, JsonToken token, Deque<Level> levels) {
        Level parent = levels.peek();
        if (token == JsonToken.PROPERTY_NAME) {
            if (parent != null) {
                parent.name = parser.currentName();
            }
        } else if (token.isStructEnd()) {
            Level ended = levels.pop();
            if (ended.elements == 0) {
                add(ended.pointer, ended.array ? "[]" : "{}");
            }
        } else {
            String pointer = pointer(parent, levels.size());
            if (parent != null) {
                parent.elements++;
            }
            if (token.isStructStart()) {
                levels.push(new Level(pointer, token == JsonToken.START_ARRAY));
            } else {
                add(pointer, token == JsonToken.VALUE_STRING ? "\"" + parser.getString() + "\"" : parser.getString());
            }
        }
    }

    private static @Nullable String pointer(@Nullable Level parent, int depth) {
        if (parent == null) {
            return "";
        }
        if (parent.pointer == null || depth > MAX_DEPTH || parent.pointer.length() > MAX_POINTER) {
            return null;
        }
        String segment = parent.array
                ? String.valueOf(parent.elements)
                : parent.name.replace("~", "~0").replace("/", "~1");
        return parent.pointer + "/" + segment;
    }

    private void add(@Nullable String pointer, String value) {
        if (pointer == null || values.size() >= MAX_VALUES) {
            whole = false;
        } else {
            values.put(pointer, value);
        }
    }
}
