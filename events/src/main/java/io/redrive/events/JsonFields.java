package io.redrive.events;

import java.io.StringWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON object read as a whole, with fields by name and type. Errors name the line and the field. A null field
 * counts as absent; unknown fields are ignored, so that the output of a newer version can be read.
 */
final class JsonFields {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final long line;
    private final String path;
    private final Map<String, Field> fields;

    /** The text of a string or number; an object or array as JSON, parsed on demand. */
    private record Field(JsonToken type, String text) {}

    private JsonFields(long line, String path, Map<String, Field> fields) {
        this.line = line;
        this.path = path;
        this.fields = fields;
    }

    static JsonFields parse(String json, long line) {
        return parse(json, line, "");
    }

    private static JsonFields parse(String json, long line, String path) {
        Map<String, Field> fields = new LinkedHashMap<>();
        try (JsonParser parser = parser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new RefusedFieldException(line, path, "must be a JSON object", null);
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken type = parser.nextToken();
                String text = type.isScalarValue() ? parser.getString() : copy(parser);
                if (type != JsonToken.VALUE_NULL) {
                    fields.put(name, new Field(type, text));
                }
            }
            if (parser.nextToken() != null) {
                throw new RefusedFieldException(line, path, "must be one JSON object, got more behind it", null);
            }
        } catch (JacksonException e) {
            throw new RefusedFieldException(line, path, "is not JSON: " + e.getOriginalMessage(), e);
        }
        return new JsonFields(line, path, fields);
    }

    Optional<String> text(String name) {
        return value(name, "a string", JsonToken.VALUE_STRING);
    }

    String requiredText(String name) {
        return text(name).orElseThrow(() -> wrong(name, "is missing"));
    }

    int integer(String name, int otherwise) {
        return converted(name, value(name, "a whole number", JsonToken.VALUE_NUMBER_INT), Integer::valueOf)
                .orElse(otherwise);
    }

    long longInteger(String name, long otherwise) {
        return converted(name, value(name, "a whole number", JsonToken.VALUE_NUMBER_INT), Long::valueOf)
                .orElse(otherwise);
    }

    Optional<Instant> instant(String name) {
        return converted(name, text(name), Instant::parse);
    }

    Optional<Duration> duration(String name) {
        return converted(name, text(name), Duration::parse);
    }

    Optional<byte[]> base64(String name) {
        return converted(name, text(name), Base64.getDecoder()::decode);
    }

    /** Returns a required text, converted by {@code from}; a refusal names the line and the field. */
    <T> T required(String name, Function<String, T> from) {
        return converted(name, Optional.of(requiredText(name)), from).orElseThrow();
    }

    Optional<JsonFields> object(String name) {
        return value(name, "an object", JsonToken.START_OBJECT).map(json -> parse(json, line, path + name + "."));
    }

    JsonFields requiredObject(String name) {
        return object(name).orElseThrow(() -> wrong(name, "is missing"));
    }

    List<JsonFields> objects(String name) {
        List<JsonFields> objects = new ArrayList<>();
        value(name, "an array", JsonToken.START_ARRAY).ifPresent(json -> {
            try (JsonParser parser = parser(json)) {
                parser.nextToken();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    objects.add(parse(copy(parser), line, path + name + "[" + objects.size() + "]."));
                }
            }
        });
        return objects;
    }

    /** Returns the names and texts of an object of strings. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        fields.keySet().forEach(name -> texts.put(name, requiredText(name)));
        return texts;
    }

    Optional<String> rawJson(String name) {
        return Optional.ofNullable(fields.get(name)).map(JsonFields::json);
    }

    /** Runs {@code action}; an argument that it refuses is reported with the line and the path of this object. */
    <T> T checked(Function<JsonFields, T> action) {
        try {
            return action.apply(this);
        } catch (RefusedFieldException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new RefusedFieldException(line, path, String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<String> value(String name, String wanted, JsonToken type) {
        Field field = fields.get(name);
        if (field != null && field.type() != type) {
            throw wrong(name, "must be " + wanted + ", got " + Texts.shown(field.text()));
        }
        return Optional.ofNullable(field).map(Field::text);
    }

    private <T> Optional<T> converted(String name, Optional<String> text, Function<String, T> conversion) {
        try {
            return text.map(conversion);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new RefusedFieldException(
                    line, path + name, "cannot be " + Texts.shown(text.orElse("")) + ": " + e.getMessage(), e);
        }
    }

    private IllegalArgumentException wrong(String name, String what) {
        return new RefusedFieldException(line, path + name, what, null);
    }

    /** A refused field; the message begins with the line and the path of the field. */
    private static final class RefusedFieldException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        RefusedFieldException(long line, String path, String what, @Nullable Throwable cause) {
            super("line " + line + ": " + field(path) + what, cause);
        }

        private static String field(String path) {
            String field = path.endsWith(".") ? path.substring(0, path.length() - 1) : path;
            return field.isEmpty() ? "" : "field " + field + " ";
        }
    }

    private static String json(Field field) {
        return field.type() == JsonToken.VALUE_STRING
                ? written(generator -> generator.writeString(field.text()))
                : field.text();
    }

    private static String copy(JsonParser parser) {
        return written(generator -> generator.copyCurrentStructureExact(parser));
    }

    private static String written(Consumer<JsonGenerator> content) {
        StringWriter out = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            content.accept(generator);
        }
        return out.toString();
    }

    private static JsonParser parser(String json) {
        return FACTORY.createParser(ObjectReadContext.empty(), json);
    }
}
