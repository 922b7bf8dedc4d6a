package io.redrive.jdbc;

import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** An event's headers as a JSON object, their order kept; null when there are none. */
final class HeaderJson {

    private static final JsonFactory JSON = new JsonFactory();

    private HeaderJson() {}

    static String write(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            generator.writeStartObject();
            headers.forEach(generator::writeStringProperty);
            generator.writeEndObject();
        }
        return text.toString();
    }

    static Map<String, String> read(String json) {
        if (json == null) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                headers.put(name, parser.getString());
            }
        }
        return headers;
    }
}
