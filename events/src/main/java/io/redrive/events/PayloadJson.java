package io.redrive.events;

import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Shows a payload in JSON, readable where possible and without losing a byte. {@code payload} is the JSON value of a
 * JSON payload, otherwise the payload's text. {@code payload_base64} is added, and wins when reading, where {@code
 * payload} alone would not give every byte back (binary, odd white space, unusual numbers).
 */
final class PayloadJson {

    static final String READABLE = "payload";
    static final String EXACT = "payload_base64";

    /** Deeper payloads are shown as text, so that every parser can read a letter. */
    private static final int MAX_DEPTH = 100;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private PayloadJson() {}

    static void write(JsonGenerator json, byte[] payload, String contentType) {
        if (payload.length == 0) {
            return;
        }
        Optional<String> text = text(payload);
        Optional<String> value =
                text.filter(unused -> JsonPayload.isJson(contentType)).flatMap(PayloadJson::compact);
        if (value.isPresent()) {
            json.writeName(READABLE).writeRawValue(value.get());
        } else if (text.isPresent()) {
            json.writeStringProperty(READABLE, text.get());
        }
        boolean readsBack = JsonPayload.isJson(contentType)
                // A JSON null reads back as absent.
                ? value.filter(shown -> !shown.equals("null") && Arrays.equals(bytes(shown), payload))
                        .isPresent()
                : text.isPresent();
        if (!readsBack) {
            json.writeStringProperty(EXACT, Base64.getEncoder().encodeToString(payload));
        }
    }

    static byte[] read(JsonFields event, String contentType) {
        Optional<byte[]> exact = event.base64(EXACT);
        if (exact.isPresent()) {
            return exact.get();
        }
        if (!JsonPayload.isJson(contentType)) {
            return bytes(event.text(READABLE).orElse(""));
        }
        return event.rawJson(READABLE).map(PayloadJson::bytes).orElse(new byte[0]);
    }

    /** Returns the same JSON value on one line; empty when {@code text} is not a JSON value. */
    private static Optional<String> compact(String text) {
        StringWriter out = new StringWriter(text.length());
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text);
                JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            generator.copyCurrentStructureExact(parser);
            if (parser.nextToken() != null) {
                return Optional.empty();
            }
        } catch (JacksonException e) {
            return Optional.empty();
        }
        return Optional.of(out.toString());
    }

    private static Optional<String> text(byte[] payload) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
