package io.redrive.bench;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Reads and writes the fields of a result as JSON: objects, strings, numbers, booleans, null. */
final class Json {

    private static final JsonFactory JSON = new JsonFactory();

    private Json() {}

    static String write(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            write(value, generator);
        }
        return text.toString();
    }

    /** Returns the fields of an object; numbers are {@code Double}, objects are maps. */
    static Map<String, Object> read(String text) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("a line of results must be a JSON object, got " + text);
            }
            return object(parser);
        }
    }

    private static Map<String, Object> object(JsonParser parser) {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            fields.put(
                    name,
                    switch (token) {
                        case START_OBJECT -> object(parser);
                        case VALUE_NULL -> null;
                        case VALUE_TRUE, VALUE_FALSE -> token == JsonToken.VALUE_TRUE;
                        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
                        case VALUE_STRING -> parser.getString();
                        default ->
                            throw new IllegalArgumentException("field '" + name + "' of a result has no plain value");
                    });
        }
        return fields;
    }

    private static void write(Object value, JsonGenerator generator) {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Number number) {
            generator.writeNumber(number(number.doubleValue()));
        } else if (value instanceof Map<?, ?> object) {
            generator.writeStartObject();
            object.forEach((name, field) -> {
                generator.writeName(name.toString());
                write(field, generator);
            });
            generator.writeEndObject();
        } else {
            generator.writeString(value.toString());
        }
    }

    /** Returns the number without an exponent and without a fraction of zero: 100000, 0.5. */
    static String number(double value) {
        BigDecimal exact = BigDecimal.valueOf(value).stripTrailingZeros();
        return exact.signum() == 0 ? "0" : exact.toPlainString();
    }
}
