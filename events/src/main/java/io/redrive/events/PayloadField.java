package io.redrive.events;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A field of a JSON payload and the value that the field must have: {@code PayloadField.parse("/customer/country=CH")}.
 *
 * <p>The payload is read as JSON whatever its content type says, and only as a whole: a payload that is not one valid JSON document in
 * UTF-8, or is longer than {@link #MAX_BYTES}, has no field. A document with the escape {@code \\u0000} or half a surrogate pair counts as
 * invalid, because PostgreSQL cannot read its texts. Of several fields with the same name the last one counts.
 *
 * <p>The value is compared as text: with a text without its escapes, with a number or {@code true}, {@code false} and {@code null} as the
 * payload spells them. Numbers without exponent are equal when their values are: {@code 1} finds {@code 1.00}. No digit is rounded. An
 * object or array equals no value.
 *
 * @param pointer the place of the field, as RFC 6901 spells it: {@code /lines/0/sku}; {@code ~1} stands for a slash in a name and {@code ~0}
 *     for a tilde
 * @param value the text of the value
 */
public record PayloadField(String pointer, String value) {

    /** The most bytes of a payload that is read. */
    public static final int MAX_BYTES = 1024 * 1024;

    /** The most characters of a pointer, and of a value. */
    public static final int MAX_LENGTH = 500;

    /** The most names and indexes of a pointer. */
    public static final int MAX_DEPTH = 32;

    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern ESCAPES = Pattern.compile("([^~]|~[01])*");
    private static final Pattern PLAIN_NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?");
    private static final String EXAMPLE = "such as /customer/country=CH";

    /**
     * Checks pointer and value.
     *
     * @throws IllegalArgumentException when the pointer does not start with a slash, has a wrong escape or is too deep, or when pointer or
     *     value is too long or has a character that no store can compare
     */
    public PayloadField {
        if (!pointer.startsWith("/")) {
            throw new IllegalArgumentException("the pointer of a payload field must start with a slash, " + EXAMPLE
                    + "; got " + Texts.shown(pointer));
        }
        if (pointer.indexOf('=') >= 0) {
            throw new IllegalArgumentException(
                    "the pointer of a payload field must have no equals sign, which ends the pointer; got "
                            + Texts.shown(pointer));
        }
        requireText("pointer", pointer);
        requireText("value", value);
        if (!ESCAPES.matcher(pointer).matches()) {
            throw new IllegalArgumentException(
                    "a tilde in the pointer of a payload field must be written ~0, and a slash in a name ~1; got "
                            + Texts.shown(pointer));
        }
        int depth = (int) pointer.chars().filter(each -> each == '/').count();
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("the pointer of a payload field must have at most " + MAX_DEPTH
                    + " names and indexes, got " + depth);
        }
    }

    /**
     * Reads a field from {@code POINTER=VALUE}. The first equals sign ends the pointer.
     *
     * @throws IllegalArgumentException when the text has no equals sign, or when pointer or value cannot be used
     */
    public static PayloadField parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException(
                    "a payload field must be POINTER=VALUE, " + EXAMPLE + "; got " + Texts.shown(text));
        }
        return new PayloadField(text.substring(0, equals), text.substring(equals + 1));
    }

    private static void requireText(String part, String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the " + part + " of a payload field must have at most " + MAX_LENGTH
                    + " characters, got " + text.length());
        }
        if (!Texts.isWellFormed(text)) {
            throw new IllegalArgumentException("the " + part
                    + " of a payload field must be text without the character U+0000 and without half surrogate pairs");
        }
    }

    /** Returns names and indexes of the pointer, without escapes. */
    public List<String> segments() {
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    /** Returns true when the value is a number that equals other spellings of its value. */
    public boolean isPlainNumber() {
        return PLAIN_NUMBER.matcher(value).matches();
    }

    /** Returns true when {@code payload} has the field with the value. */
    public boolean isIn(byte[] payload) {
        return payload.length <= MAX_BYTES
                && text(payload).flatMap(this::found).filter(this::isEqual).isPresent();
    }

    private boolean isEqual(Scalar found) {
        return found.text().equals(value)
                || found.isNumber()
                        && isPlainNumber()
                        && PLAIN_NUMBER.matcher(found.text()).matches()
                        && new BigDecimal(found.text()).compareTo(new BigDecimal(value)) == 0;
    }

    private static Optional<String> text(byte[] payload) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(payload))
                            .toString())
                    .filter(text -> !text.startsWith("\uFEFF"));
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private Optional<Scalar> found(String json) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            Reader reader = new Reader(parser, segments());
            @Nullable Scalar scalar = reader.read(0);
            return parser.nextToken() == null && reader.isWellFormed ? Optional.ofNullable(scalar) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** A text, number, truth value or null, as text. */
    private record Scalar(String text, boolean isNumber) {}

    /** Reads a document to its end, so that a broken end makes the whole document invalid, as in a database. */
    private static final class Reader {

        private final JsonParser parser;
        private final List<String> segments;
        private boolean isWellFormed = true;

        Reader(JsonParser parser, List<String> segments) {
            this.parser = parser;
            this.segments = segments;
        }

        /** Reads the value at the parser's place, behind so many segments; null for a value that is not looked for or is no scalar. */
        @Nullable
        Scalar read(int depth) {
            JsonToken token = Objects.requireNonNull(parser.currentToken());
            if (!token.isStructStart()) {
                Scalar scalar = new Scalar(checked(parser.getString()), token.isNumeric());
                return depth == segments.size() ? scalar : null;
            }
            Scalar found = null;
            int index = 0;
            JsonToken end = token == JsonToken.START_OBJECT ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
            for (JsonToken at = next(); at != end; at = next()) {
                String name = String.valueOf(index++);
                if (at == JsonToken.PROPERTY_NAME) {
                    name = checked(parser.currentName());
                    next();
                }
                if (depth < segments.size() && name.equals(segments.get(depth))) {
                    found = read(depth + 1);
                } else {
                    skip();
                }
            }
            return found;
        }

        private void skip() {
            int open = 0;
            for (JsonToken at = Objects.requireNonNull(parser.currentToken()); ; at = next()) {
                open += at.isStructStart() ? 1 : at.isStructEnd() ? -1 : 0;
                if (at == JsonToken.VALUE_STRING || at == JsonToken.PROPERTY_NAME) {
                    checked(parser.getString());
                }
                if (open == 0) {
                    return;
                }
            }
        }

        /** Moves to the next token; the parser refuses a document that ends inside a structure. */
        private JsonToken next() {
            return Objects.requireNonNull(parser.nextToken());
        }

        private String checked(String text) {
            isWellFormed &= Texts.isWellFormed(text);
            return text;
        }
    }

    /** Returns {@code POINTER=VALUE}, as {@link #parse} reads it. */
    @Override
    public String toString() {
        return pointer + "=" + value;
    }
}
