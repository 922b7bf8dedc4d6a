package io.redrive.events;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Finds the text, number or boolean at a JSON pointer, without reading more of the document than needed. */
final class JsonPointerValue {

    private static final JsonFactory JSON = new JsonFactory();

    private final List<String> segments;

    JsonPointerValue(String pointer) {
        segments = Arrays.stream(pointer.substring(1).split("/", -1))
                .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    /** Returns the value; empty when there is none, when it is null, an object or an array, or when the payload cannot be read. */
    Optional<String> in(byte[] payload) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), payload)) {
            JsonToken token = parser.nextToken();
            for (String segment : segments) {
                if (token == null || !enter(parser, token, segment)) {
                    return Optional.empty();
                }
                token = parser.currentToken();
            }
            return token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL
                    ? Optional.of(parser.getString())
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Moves to the value of this name or index; false when the structure has none. */
    private static boolean enter(JsonParser parser, JsonToken structure, String segment) {
        int index = 0;
        if (structure == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean found = parser.currentName().equals(segment);
                parser.nextToken();
                if (found) {
                    return true;
                }
                parser.skipChildren();
            }
        } else if (structure == JsonToken.START_ARRAY) {
            for (JsonToken at = parser.nextToken(); at != null && at != JsonToken.END_ARRAY; at = parser.nextToken()) {
                if (segment.equals(String.valueOf(index++))) {
                    return true;
                }
                parser.skipChildren();
            }
        }
        return false;
    }
}
