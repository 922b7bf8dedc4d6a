package io.redrive.operations;

import com.dashjoin.jsonata.Jsonata;
import io.redrive.events.EventStore;
import java.io.StringWriter;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a result of an expression as JSON on one line, up to a limit. */
final class JsonResult {

    /** The most bytes of a repaired payload: the default limit of payloads. */
    static final int MAX_BYTES = EventStore.DEFAULT_MAX_PAYLOAD;

    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    private final PayloadDocument document;
    private int written;

    private JsonResult(PayloadDocument document) {
        this.document = document;
    }

    /**
     * Returns the value as JSON.
     *
     * @throws RepairFailure when the value is not JSON, too large, nested too deep, or lost digits of numbers
     */
    static byte[] write(@Nullable Object value, PayloadDocument document) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            new JsonResult(document).value(json, value, "", 0);
        }
        byte[] bytes = utf8(out.toString());
        if (bytes.length > MAX_BYTES) {
            throw tooLarge();
        }
        return bytes;
    }

    private void value(JsonGenerator json, @Nullable Object value, String place, int depth) {
        if (depth > PayloadDocument.MAX_DEPTH) {
            throw new RepairFailure(
                    "the result must be nested at most " + PayloadDocument.MAX_DEPTH + " levels deep, got more");
        }
        count(1);
        if (value == null || value == Jsonata.NULL_VALUE) {
            json.writeNull();
        } else if (value instanceof Map<?, ?> members) {
            json.writeStartObject();
            members.forEach((name, member) -> {
                count(String.valueOf(name).length());
                json.writeName(String.valueOf(name));
                value(json, member, member(place, String.valueOf(name)), depth + 1);
            });
            json.writeEndObject();
        } else if (value instanceof Collection<?> items) {
            json.writeStartArray();
            int index = 0;
            for (Object item : items) {
                value(json, item, item(place, index++), depth + 1);
            }
            json.writeEndArray();
        } else if (value instanceof Number number) {
            json.writeNumber(document.digits(number, place));
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof String text) {
            count(text.length());
            json.writeString(text);
        } else {
            throw new RepairFailure(
                    "the result is not JSON: the value at " + shown(place) + " is a function or a pattern");
        }
    }

    /** Each value and each character needs at least one byte. */
    private void count(int more) {
        written += more;
        if (written > MAX_BYTES) {
            throw tooLarge();
        }
    }

    private static RepairFailure tooLarge() {
        return new RepairFailure("the result must be at most " + MAX_BYTES + " bytes, got more");
    }

    private static byte[] utf8(String json) {
        try {
            var encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(json));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new RepairFailure("the result has half a character (a lone surrogate), which no payload can keep");
        }
    }

    /** Returns the JSON pointer of a member. */
    static String member(String place, String name) {
        return place + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** Returns the JSON pointer of an item. */
    static String item(String place, int index) {
        return place + "/" + index;
    }

    /** Returns a JSON pointer for people. */
    static String shown(String place) {
        return place.isEmpty() ? "the top" : place.length() > 200 ? place.substring(0, 200) + "…" : place;
    }
}
