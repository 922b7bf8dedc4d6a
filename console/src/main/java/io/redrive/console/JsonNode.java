package io.redrive.console;

import java.util.List;
import java.util.Locale;

/**
 * A value of a JSON payload, as a tree for people. Numbers keep the digits of the payload. {@link JsonTree} makes the tree.
 *
 * @param key the name of the value in its object, or its index; empty for the outermost value
 * @param kind object, array, string, number or word
 * @param text the value; for objects and arrays the number of their values in words
 * @param children the values of an object or array that the tree shows
 * @param hidden the number of values of an object or array that the tree does not show
 */
record JsonNode(String key, Kind kind, String text, List<JsonNode> children, int hidden) {

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
        return "json-" + kind.name().toLowerCase(Locale.ROOT);
    }

    /** Returns true when the tree does not show every value. */
    boolean isCut() {
        return hidden > 0 || children.stream().anyMatch(JsonNode::isCut);
    }

    /** Returns the number of values that the tree does not show: {@code 74,901 more elements}. */
    String hiddenInWords() {
        String noun = kind == Kind.OBJECT ? "field" : "element";
        return Format.counted(hidden, children.isEmpty() ? noun : "more " + noun);
    }
}
