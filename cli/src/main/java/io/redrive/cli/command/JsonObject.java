package io.redrive.cli.command;

import io.redrive.pipelinefiles.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a JSON object, whose members keep the order in which they were added. */
public final class JsonObject {

    private final Map<String, JsonValue> members = new LinkedHashMap<>();

    /**
     * Adds a member.
     *
     * @param value null, a number, a boolean, an object or a list; of any other value the text is taken
     */
    public JsonObject put(String name, @Nullable Object value) {
        members.put(name, json(value));
        return this;
    }

    private static JsonValue json(@Nullable Object value) {
        if (value == null) {
            return JsonValue.Word.NULL;
        }
        if (value instanceof Boolean truth) {
            return truth ? JsonValue.Word.TRUE : JsonValue.Word.FALSE;
        }
        if (value instanceof Number) {
            return new JsonValue.Num(value.toString());
        }
        if (value instanceof JsonObject object) {
            return new JsonValue.Obj(object.members);
        }
        if (value instanceof List<?> list) {
            return new JsonValue.Arr(list.stream().map(JsonObject::json).toList());
        }
        return new JsonValue.Text(value.toString());
    }

    /** Returns the object as JSON on one line. */
    @Override
    public String toString() {
        return new JsonValue.Obj(members).toString();
    }
}
