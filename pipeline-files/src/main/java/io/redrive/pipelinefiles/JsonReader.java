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

/** Reads JSON into a {@link JsonValue}. */
final class JsonReader {

    /** The pipeline limits the length of texts. The depth is limited here, because reading is recursive and takes stack. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNestingDepth(500)
                    .build())
            .build();

    private JsonReader() {}

    static JsonValue parse(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("is not JSON: it is empty");
            }
            JsonValue value = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("is not JSON: more text follows the first value");
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
}
