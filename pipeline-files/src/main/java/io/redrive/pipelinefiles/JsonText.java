package io.redrive.pipelinefiles;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** JSON between text and {@link JsonValue}. */
final class JsonText {

    /** How long a text may be is the pipeline's business; how deep it nests is limited, as reading it takes stack. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNestingDepth(500)
                    .build())
            .build();

    private JsonText() {}

    static JsonValue parse(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("is not JSON: it is empty");
            }
            JsonValue value = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("is not JSON: there is more behind the first value");
            }
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static JsonValue value(JsonParser parser) {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new JsonValue.Text(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue.Num(parser.getString());
            case VALUE_TRUE -> JsonValue.Word.TRUE;
            case VALUE_FALSE -> JsonValue.Word.FALSE;
            case VALUE_NULL -> JsonValue.Word.NULL;
            default -> throw new IllegalArgumentException("is not JSON: it has a " + token);
        };
    }

    private static JsonValue object(JsonParser parser) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, value(parser));
        }
        return new JsonValue.Obj(members);
    }

    private static JsonValue array(JsonParser parser) {
        List<JsonValue> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return new JsonValue.Arr(items);
    }

    static String write(JsonValue value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(JsonValue value, StringBuilder out) {
        if (value instanceof JsonValue.Obj object) {
            char before = '{';
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                quote(member.getKey(), out.append(before));
                write(member.getValue(), out.append(':'));
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof JsonValue.Arr array) {
            char before = '[';
            for (JsonValue item : array.items()) {
                write(item, out.append(before));
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value instanceof JsonValue.Text text) {
            quote(text.value(), out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c < ' ' || c == '\u2028' || c == '\u2029' || isHalf(text, i)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Half of a pair has no UTF-8; escaped, it survives. */
    private static boolean isHalf(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
