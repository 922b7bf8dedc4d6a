package io.redrive.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A value of a JSON payload, as a tree for people. Numbers keep the digits of the payload.
 *
 * @param key the name of the value in its object, or its index; empty for the outermost value
 * @param kind object, array, string, number or word
 * @param text the value; for objects and arrays the number of their children in words
 * @param children the values in an object or array
 */
record JsonNode(String key, Kind kind, String text, List<JsonNode> children) {

    /** A larger payload is shown as text: a browser stays quick. */
    static final int MOST_NODES = 1_500;

    private static final int DEEPEST = 40;
    private static final JsonFactory JSON = JsonFactory.builder().build();

    /** The kinds of values. */
    enum Kind {
        OBJECT,
        ARRAY,
        STRING,
        NUMBER,
        WORD
    }

    boolean isContainer() {
        return kind == Kind.OBJECT || kind == Kind.ARRAY;
    }

    /** Returns the class of the value in the stylesheet. */
    String style() {
        return "json-" + kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns the tree of a JSON text; empty when the text is no JSON, or is too large for a tree. */
    static Optional<JsonNode> read(String json) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            return parser.nextToken() == null ? Optional.empty() : read(parser);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** An object or array whose end was not read yet. */
    private record Open(String key, Kind kind, List<JsonNode> children) {
        JsonNode closed() {
            String noun = kind == Kind.OBJECT ? "field" : "element";
            return new JsonNode(key, kind, Format.counted(children.size(), noun), List.copyOf(children));
        }
    }

    private static Optional<JsonNode> read(JsonParser parser) {
        Deque<Open> open = new ArrayDeque<>();
        JsonNode last = null;
        int nodes = 0;
        for (JsonToken token = parser.currentToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                continue;
            }
            if (token.isStructStart()) {
                Kind kind = token == JsonToken.START_OBJECT ? Kind.OBJECT : Kind.ARRAY;
                open.push(new Open(keyOf(parser, open), kind, new ArrayList<>()));
            } else {
                last = token.isStructEnd() ? open.pop().closed() : scalar(parser, token, keyOf(parser, open));
                if (!open.isEmpty()) {
                    open.peek().children().add(last);
                }
            }
            if (++nodes > 2 * MOST_NODES || open.size() > DEEPEST) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(last);
    }

    private static String keyOf(JsonParser parser, Deque<Open> open) {
        if (open.isEmpty()) {
            return "";
        }
        Open parent = open.peek();
        return parent.kind() == Kind.ARRAY
                ? String.valueOf(parent.children().size())
                : String.valueOf(parser.currentName());
    }

    private static JsonNode scalar(JsonParser parser, JsonToken token, String key) {
        if (token == JsonToken.VALUE_STRING) {
            return new JsonNode(key, Kind.STRING, parser.getString(), List.of());
        }
        return new JsonNode(key, token.isNumeric() ? Kind.NUMBER : Kind.WORD, parser.getString(), List.of());
    }
}
