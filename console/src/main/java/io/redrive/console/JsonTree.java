package io.redrive.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a JSON text as a tree, and finds values in the text. A browser stays quick with some thousand values: the tree of a text
 * with more shows the first values of each object and array and counts the others, and {@link #find} still looks at every value.
 */
final class JsonTree {

    /** The most values of a tree. */
    static final int MOST_NODES = 1_500;

    /** The most values of an object or array, in a text with more values than a tree. */
    static final int MOST_CHILDREN = 100;

    private static final int DEEPEST = 40;
    private static final int LONGEST_FOUND = 200;
    private static final JsonFactory JSON = JsonFactory.builder().build();

    /**
     * A value with a wanted text in its name or in itself.
     *
     * @param pointer the place of the value, as a JSON pointer
     * @param text the value in one line; empty for an object or array
     */
    record Hit(String pointer, String text) {}

    /**
     * The values with a wanted text.
     *
     * @param hits the first values
     * @param total the number of values
     */
    record Found(List<Hit> hits, int total) {}

    private final JsonParser parser;
    private final int mostChildren;
    private final Deque<Open> open = new ArrayDeque<>();
    private int nodes;

    private JsonTree(JsonParser parser, int mostChildren) {
        this.parser = parser;
        this.mostChildren = mostChildren;
    }

    /** Returns the tree of a JSON text; empty when the text is no JSON. */
    static Optional<JsonNode> read(String json) {
        Optional<JsonNode> whole = read(json, MOST_NODES);
        return whole.filter(JsonNode::isCut).isPresent() ? read(json, MOST_CHILDREN) : whole;
    }

    private static Optional<JsonNode> read(String json, int mostChildren) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            return new JsonTree(parser, mostChildren).root();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Returns the values whose name or text contains the wanted text, in capital or small letters. */
    static Found find(String json, String wanted, int most) {
        List<Hit> hits = new ArrayList<>();
        int total = 0;
        String small = wanted.toLowerCase(Locale.ROOT);
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            boolean named = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME) {
                    named = contains(parser.currentName(), small);
                    continue;
                }
                boolean hit =
                        !token.isStructEnd() && (named || token.isScalarValue() && contains(parser.getString(), small));
                named = false;
                if (hit && ++total <= most) {
                    String text = token.isScalarValue() ? Format.brief(parser.getString(), LONGEST_FOUND) : "";
                    hits.add(new Hit(parser.streamReadContext().pathAsPointer().toString(), text));
                }
            }
        } catch (JacksonException e) {
            return new Found(List.of(), 0);
        }
        return new Found(List.copyOf(hits), total);
    }

    private static boolean contains(String text, String small) {
        return text.toLowerCase(Locale.ROOT).contains(small);
    }

    /** An object or array whose end was not read yet. */
    private static final class Open {
        private final String key;
        private final JsonNode.Kind kind;
        private final boolean shown;
        private final List<JsonNode> children = new ArrayList<>();
        private int size;

        Open(String key, JsonNode.Kind kind, boolean shown) {
            this.key = key;
            this.kind = kind;
            this.shown = shown;
        }

        JsonNode closed() {
            String noun = kind == JsonNode.Kind.OBJECT ? "field" : "element";
            return new JsonNode(key, kind, Format.counted(size, noun), List.copyOf(children), size - children.size());
        }
    }

    private Optional<JsonNode> root() {
        Optional<JsonNode> root = Optional.empty();
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                continue;
            }
            Optional<JsonNode> ended = token.isStructStart() ? begin(token) : end(token);
            root = open.isEmpty() ? ended : root;
        }
        return root;
    }

    private Optional<JsonNode> begin(JsonToken token) {
        JsonNode.Kind kind = token == JsonToken.START_OBJECT ? JsonNode.Kind.OBJECT : JsonNode.Kind.ARRAY;
        Open container = new Open(key(), kind, hasRoom());
        count();
        open.push(container);
        return Optional.empty();
    }

    /** Ends an object, an array or a scalar value: a value with room becomes a child of its parent. */
    private Optional<JsonNode> end(JsonToken token) {
        if (!token.isStructEnd()) {
            Optional<JsonNode> scalar = hasRoom() ? Optional.of(scalar(token)) : Optional.empty();
            count();
            return added(scalar);
        }
        Open container = open.pop();
        return added(container.shown ? Optional.of(container.closed()) : Optional.empty());
    }

    private Optional<JsonNode> added(Optional<JsonNode> value) {
        Open parent = open.peek();
        if (parent != null) {
            value.ifPresent(parent.children::add);
        }
        return value;
    }

    /** Returns true when the tree has room for one more value of the innermost object or array. */
    private boolean hasRoom() {
        return open.isEmpty()
                || open.element().shown
                        && nodes < MOST_NODES
                        && open.size() <= DEEPEST
                        && open.element().children.size() < mostChildren;
    }

    private void count() {
        nodes += hasRoom() ? 1 : 0;
        if (!open.isEmpty()) {
            open.element().size++;
        }
    }

    private String key() {
        if (open.isEmpty()) {
            return "";
        }
        Open parent = open.element();
        return parent.kind == JsonNode.Kind.ARRAY ? String.valueOf(parent.size) : String.valueOf(parser.currentName());
    }

    private JsonNode scalar(JsonToken token) {
        JsonNode.Kind kind = token == JsonToken.VALUE_STRING
                ? JsonNode.Kind.STRING
                : token.isNumeric() ? JsonNode.Kind.NUMBER : JsonNode.Kind.WORD;
        return new JsonNode(key(), kind, parser.getString(), List.of(), 0);
    }
}
