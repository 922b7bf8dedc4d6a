package io.redrive.pipelinefiles;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * A JSON value. Members keep their order and numbers their digits, so that a sample passes unchanged through stages that pick nothing.
 * Immutable. {@code toString} returns JSON on one line.
 */
public sealed interface JsonValue {

    /** A JSON object. */
    record Obj(Map<String, JsonValue> members) implements JsonValue {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** A JSON array. */
    record Arr(List<JsonValue> items) implements JsonValue {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** A JSON string. */
    record Text(String value) implements JsonValue {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** A JSON number with the digits of its source. */
    record Num(String digits) implements JsonValue {
        /** Returns the value, for comparisons. */
        BigDecimal value() {
            return new BigDecimal(digits);
        }

        @Override
        public String toString() {
            return digits;
        }
    }

    /** The JSON words true, false and null. */
    enum Word implements JsonValue {
        TRUE,
        FALSE,
        NULL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads a JSON value.
     *
     * @throws IllegalArgumentException when the text is not one JSON value
     */
    static JsonValue parse(String text) {
        return JsonReader.parse(text);
    }

    /** Returns the value at this place; empty when there is none. */
    default Optional<JsonValue> at(JsonPointer pointer) {
        if (pointer.matches()) {
            return Optional.of(this);
        }
        JsonValue next = null;
        if (this instanceof Obj object) {
            next = object.members().get(pointer.getMatchingProperty());
        } else if (this instanceof Arr array) {
            int index = pointer.getMatchingIndex();
            next = index >= 0 && index < array.items().size() ? array.items().get(index) : null;
        }
        return next == null ? Optional.empty() : next.at(pointer.tail());
    }

    /**
     * Returns a copy with {@code value} at this place. Missing objects on the way are created.
     *
     * @throws SampleException when the way leads through a value that is neither object nor array
     */
    default JsonValue with(JsonPointer pointer, JsonValue value) {
        if (pointer.matches()) {
            return value;
        }
        String name = pointer.getMatchingProperty();
        int index = pointer.getMatchingIndex();
        if (this instanceof Obj object) {
            Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
            JsonValue child = members.getOrDefault(name, new Obj(Map.of()));
            members.put(name, child.with(pointer.tail(), value));
            return new Obj(members);
        }
        if (this instanceof Arr array && index >= 0 && index < array.items().size()) {
            List<JsonValue> items = new ArrayList<>(array.items());
            items.set(index, items.get(index).with(pointer.tail(), value));
            return new Arr(items);
        }
        throw new SampleException("the sample must have an object where '" + name + "' is to be set, got " + shown(60));
    }

    /** Returns the value for use in text: a string without quotes, all other types as JSON. */
    default String text() {
        return this instanceof Text text ? text.value() : toString();
    }

    /** Returns the value as JSON for messages, cut to {@code most} characters. */
    default String shown(int most) {
        String json = toString();
        return json.length() <= most ? json : json.substring(0, most - 1) + "…";
    }
}
