package io.redrive.cli.terminal;

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

/** Shows payloads to people: JSON indented, other text unchanged, bytes as hexadecimal digits. */
public final class PayloadText {

    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int BYTES_SHOWN = 512;
    private static final int BYTES_A_LINE = 32;

    private PayloadText() {}

    /** Returns the payload as printable text. */
    public static String of(byte[] payload, String contentType) {
        if (payload.length == 0) {
            return "(empty)";
        }
        Optional<String> text = utf8(payload);
        if (text.isEmpty()) {
            return hexadecimal(payload);
        }
        return Printable.block(JsonPayload.isJson(contentType) ? indented(text.get()) : text.get());
    }

    /** Guesses the content type from the bytes: JSON, text, or bytes. */
    public static String contentTypeOf(byte[] payload) {
        Optional<String> text = utf8(payload);
        if (payload.length == 0 || text.isEmpty()) {
            return "application/octet-stream";
        }
        return JsonPayload.complaint(text.get()).isEmpty() ? "application/json" : "text/plain";
    }

    /** Returns why a text payload that begins like JSON is not valid JSON: most likely a typing mistake. */
    public static Optional<String> brokenJson(byte[] payload, String contentType) {
        String text = contentType.equals("text/plain") ? new String(payload, StandardCharsets.UTF_8).strip() : "";
        return text.startsWith("{") || text.startsWith("[") ? JsonPayload.complaint(payload) : Optional.empty();
    }

    /** Returns why {@code payload} is not valid for its content type; empty when it is, or when the type is not JSON. */
    public static Optional<String> complaint(byte[] payload, String contentType) {
        return JsonPayload.isJson(contentType) ? JsonPayload.complaint(payload) : Optional.empty();
    }

    /** Returns the text unchanged when the text is not JSON, or is nested too deep for the parser. */
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
