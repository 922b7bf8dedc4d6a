package io.redrive.operations;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Makes JSON of the beginning of a JSON payload, so that rules for fields can be applied: ends all objects and arrays at the cut, and
 * leaves out the value at the cut, which may not be whole.
 */
final class JsonBeginning {

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .streamWriteConstraints(StreamWriteConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .build())
            .build();

    private final JsonGenerator generator;
    /** The name of the value that comes next; written with the value. */
    private @Nullable String name;
    /** A text, number or word; written when the next token shows that the value is whole. */
    private @Nullable JsonToken scalar;

    private String text = "";

    private JsonBeginning(JsonGenerator generator) {
        this.generator = generator;
    }

    /** Returns the beginning as JSON; empty when the payload does not begin with an object or array. */
    static Optional<byte[]> closed(byte[] beginning) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(beginning.length + 64);
        // Closing the generator ends open objects and arrays.
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            new JsonBeginning(generator).copy(beginning);
        }
        return out.size() == 0 ? Optional.empty() : Optional.of(out.toByteArray());
    }

    private void copy(byte[] beginning) {
        int depth = 0;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), beginning)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (depth == 0 && !token.isStructStart()) {
                    return;
                }
                take(parser, token);
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 0) {
                    return;
                }
            }
        } catch (JacksonException e) {
            // The cut.
            return;
        }
    }

    private void take(JsonParser parser, JsonToken token) {
        writeScalar();
        if (token == JsonToken.PROPERTY_NAME) {
            name = parser.currentName();
        } else if (token.isStructEnd()) {
            generator.copyCurrentEvent(parser);
        } else if (token.isStructStart()) {
            writeName();
            generator.copyCurrentEvent(parser);
        } else {
            scalar = token;
            text = parser.getString();
        }
    }

    private void writeScalar() {
        JsonToken whole = scalar;
        if (whole == null) {
            return;
        }
        writeName();
        scalar = null;
        if (whole == JsonToken.VALUE_STRING) {
            generator.writeString(text);
        } else {
            // Numbers and words are their own JSON, and keep their digits.
            generator.writeRawValue(text);
        }
    }

    private void writeName() {
        if (name != null) {
            generator.writeName(name);
            name = null;
        }
    }
}
