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
 * A JSON value. Members keep their order and numbers their digits, so that what no stage touches comes out as it went in.
 * Immutable. Printed, it is JSON on one line.
 */
public sealed interface JsonValue {

    /** An object. */
    record Obj(Map<String, JsonValue> members) implements JsonValue {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** An array. */
    record Arr(List<JsonValue> items) implements JsonValue {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** A string. */
    record Text(String value) implements JsonValue {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** A number as it was written. */
    record Num(String digits) implements JsonValue {
        /** Its value, for comparing. */
        BigDecimal value() {
            return new BigDecimal(digits);
        }

        @Override
        public String toString() {
            return digits;
        }
    }

    /** True, false and null. */
    enum Word implements JsonValue {
        TRUE,
        FALSE,
        NULL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The value in this text; what is no JSON is an {@link IllegalArgumentException}. */
    static JsonValue parse(String text) {
        return JsonText.parse(text);
    }

    /** The value that the pointer leads to. */
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

    /** The same with {@code value} where the pointer leads to; objects on the way are made where there are none. */
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
        throw new SampleException("nothing can be put at '" + name + "' of " + shown(60) + ", which is no object");
    }

    /** As it goes into text: a string without its quotes, anything else as JSON. */
    default String text() {
        return this instanceof Text text ? text.value() : toString();
    }

    /** For messages: not more than {@code most} characters of it. */
    default String shown(int most) {
        String json = toString();
        return json.length() <= most ? json : json.substring(0, most - 1) + "…";
    }
}
