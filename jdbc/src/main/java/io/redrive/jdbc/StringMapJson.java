package io.redrive.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A map of texts as a JSON object, in order; null for an empty map. Used for an event's headers and a run's pauses. */
final class StringMapJson {

    private static final JsonFactory JSON = new JsonFactory();

    private StringMapJson() {}

    static @Nullable String write(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringBuilder json = new StringBuilder(256);
        char before = '{';
        for (Map.Entry<String, String> header : headers.entrySet()) {
            json.append(before);
            quote(json, header.getKey());
            json.append(':');
            quote(json, header.getValue());
            before = ',';
        }
        return json.append('}').toString();
    }

    /** Appends a JSON text. By hand: a generator for each event with headers would cost more than the rest of binding its row. */
    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\') {
                json.append('\\').append(each);
            } else if (each < ' ') {
                json.append(String.format("\\u%04x", (int) each));
            } else {
                json.append(each);
            }
        }
        json.append('"');
    }

    /**
     * Reads the output of {@link #write}.
     *
     * @throws IllegalArgumentException for any other text; the message does not repeat the text, which may be
     *     confidential
     */
    static Map<String, String> read(@Nullable String json) {
        if (json == null) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            require(parser.nextToken() == JsonToken.START_OBJECT, json);
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                require(parser.nextToken() == JsonToken.VALUE_STRING, json);
                headers.put(name, parser.getString());
            }
            require(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null, json);
        } catch (JacksonException e) {
            require(false, json);
        }
        return headers;
    }

    private static void require(boolean holds, String json) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "headers must be a JSON object of texts, got " + json.length() + " characters that are none");
        }
    }
}
