package io.redrive.console;

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

/**
 * A payload for people.
 *
 * @param size the number of bytes
 * @param tree the values of a JSON payload, cut when the payload has very many
 * @param text the payload as text: JSON indented with the digits of its numbers, other text unchanged, bytes in hexadecimal digits
 * @param binary true when the payload is no UTF-8 text
 * @param cut true when the text shows only the beginning of the payload
 */
record PayloadView(int size, Optional<JsonNode> tree, String text, boolean binary, boolean cut) {

    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int HEX_SHOWN = 4_096;
    private static final int HEX_LINE = 16;
    /** Indented, a payload of the usual limit may be several times as long. */
    private static final int LONGEST = 2_000_000;
    /** A browser lays out a longer text for seconds. */
    private static final int SHOWN = 100_000;

    /** Returns the beginning of the text, for a page that only shows the payload. */
    String beginning() {
        return text.length() > SHOWN
                ? text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, SHOWN) - 1))
                : text;
    }

    /** Returns true when the beginning is not the whole payload. */
    boolean isLong() {
        return cut || text.length() > SHOWN;
    }

    static PayloadView of(byte[] payload, String contentType) {
        Optional<String> text = utf8(payload);
        if (text.isEmpty()) {
            return new PayloadView(payload.length, Optional.empty(), hex(payload), true, payload.length > HEX_SHOWN);
        }
        boolean json = JsonPayload.isJson(contentType);
        String shown = json ? indented(text.get()) : text.get();
        boolean cut = shown.length() > LONGEST;
        return new PayloadView(
                payload.length,
                json ? JsonTree.read(text.get()) : Optional.empty(),
                cut ? shown.substring(0, LONGEST) : shown,
                false,
                cut);
    }

    /** Returns the payload as text for comparing. */
    static String text(byte[] payload, String contentType) {
        return of(payload, contentType).text();
    }

    /** Returns the text of a UTF-8 payload. */
    static Optional<String> utf8(byte[] payload) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
            return text.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static String indented(String json) {
        StringWriter out = new StringWriter();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json);
                JsonGenerator generator = JSON.createGenerator(new Indenting(), out)) {
            if (parser.nextToken() == null) {
                return json;
            }
            generator.copyCurrentStructureExact(parser);
            if (parser.nextToken() != null) {
                return json;
            }
        } catch (JacksonException e) {
            return json;
        }
        return out.toString();
    }

    private static String hex(byte[] payload) {
        StringBuilder lines = new StringBuilder();
        int shown = Math.min(payload.length, HEX_SHOWN);
        for (int at = 0; at < shown; at += HEX_LINE) {
            int end = Math.min(shown, at + HEX_LINE);
            String digits = HexFormat.ofDelimiter(" ").formatHex(payload, at, end);
            lines.append(String.format("%06x  %-47s  ", at, digits));
            for (int i = at; i < end; i++) {
                lines.append(payload[i] >= ' ' && payload[i] <= '~' ? (char) payload[i] : '.');
            }
            lines.append('\n');
        }
        return lines.toString();
    }

    private static final class Indenting extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
