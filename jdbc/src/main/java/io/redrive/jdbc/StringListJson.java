package io.redrive.jdbc;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The names of a run's stages as a JSON array of texts. */
final class StringListJson {

    private static final JsonFactory JSON = new JsonFactory();

    private StringListJson() {}

    static String write(List<String> names) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            generator.writeStartArray();
            names.forEach(generator::writeString);
            generator.writeEndArray();
        }
        return text.toString();
    }

    /**
     * Reads the output of {@link #write}.
     *
     * @throws IllegalArgumentException if the text is not a JSON array of texts
     */
    static List<String> read(String json) {
        List<String> names = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            require(parser.nextToken() == JsonToken.START_ARRAY, json);
            while (parser.nextToken() == JsonToken.VALUE_STRING) {
                names.add(parser.getString());
            }
            require(parser.currentToken() == JsonToken.END_ARRAY && parser.nextToken() == null, json);
        } catch (JacksonException e) {
            require(false, json);
        }
        return List.copyOf(names);
    }

    private static void require(boolean holds, String json) {
        if (!holds) {
            throw new IllegalArgumentException("stages of a run must be a JSON array of texts, got '" + json + "'");
        }
    }
}
