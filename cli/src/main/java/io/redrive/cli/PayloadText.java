package io.redrive.cli;

import io.redrive.events.JsonPayload;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** A payload for reading: JSON indented, other text as it is, the rest as hexadecimal digits. */
final class PayloadText {

    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int BYTES_SHOWN = 512;
    private static final int BYTES_A_LINE = 32;

    private PayloadText() {}

    static String of(byte[] payload, String contentType) {
        if (payload.length == 0) {
            return "(empty)";
        }
        Optional<String> text = utf8(payload);
        if (text.isEmpty()) {
            return hexadecimal(payload);
        }
        return Printable.block(JsonPayload.isJson(contentType) ? indented(text.get()) : text.get());
    }

    /** What kind of payload it looks like, for those who do not say. */
    static String contentTypeOf(byte[] payload) {
        Optional<String> text = utf8(payload);
        if (payload.length == 0 || text.isEmpty()) {
            return "application/octet-stream";
        }
        return JsonPayload.complaint(text.get()).isEmpty() ? "application/json" : "text/plain";
    }

    /** Why a payload that was taken for text is not JSON, when it begins like JSON: most likely a slip. */
    static Optional<String> brokenJson(byte[] payload, String contentType) {
        String text = contentType.equals("text/plain") ? new String(payload, StandardCharsets.UTF_8).strip() : "";
        return text.startsWith("{") || text.startsWith("[") ? JsonPayload.complaint(payload) : Optional.empty();
    }

    /** Why {@code payload} is not what {@code contentType} says, if that can be told. */
    static Optional<String> complaint(byte[] payload, String contentType) {
        return JsonPayload.isJson(contentType) ? JsonPayload.complaint(payload) : Optional.empty();
    }

    /** As it is when it is no JSON, or nested deeper than anybody could read. */
    private static String indented(String json) {
        StringWriter out = new StringWriter();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json);
                JsonGenerator generator = JSON.createGenerator(new Indenting(), out)) {
            parser.nextToken();
            generator.copyCurrentStructureExact(parser);
            if (parser.nextToken() != null) {
                return json;
            }
        } catch (JacksonException e) {
            return json;
        }
        return out.toString();
    }

    private static String hexadecimal(byte[] payload) {
        StringBuilder lines = new StringBuilder();
        int shown = Math.min(payload.length, BYTES_SHOWN);
        for (int at = 0; at < shown; at += BYTES_A_LINE) {
            lines.append(at == 0 ? "" : "\n");
            lines.append(HexFormat.ofDelimiter(" ").formatHex(payload, at, Math.min(shown, at + BYTES_A_LINE)));
        }
        return lines + (shown < payload.length ? "\n… " + (payload.length - shown) + " bytes more" : "");
    }

    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static final class Indenting extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }
    }
}
