package io.redrive.cli.remote;

import io.redrive.pipelinefiles.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** The fields of a JSON object in an answer. A field that is missing or has another type makes the answer unreadable. */
final class Fields {

    private static final int NANOS_OF_MILLI = 6;

    private final JsonValue.Obj object;

    private Fields(JsonValue.Obj object) {
        this.object = object;
    }

    /**
     * Reads a JSON object.
     *
     * @throws UnreadableAnswerException when the text is none
     */
    static Fields parse(String json) {
        try {
            return of(JsonValue.parse(json));
        } catch (IllegalArgumentException e) {
            throw new UnreadableAnswerException("it is no JSON object", e);
        }
    }

    static Fields of(JsonValue value) {
        if (value instanceof JsonValue.Obj members) {
            return new Fields(members);
        }
        throw new UnreadableAnswerException("it has " + value.shown(40) + " where an object is expected");
    }

    boolean has(String name) {
        return value(name).isPresent();
    }

    Optional<JsonValue> value(String name) {
        return Optional.ofNullable(object.members().get(name)).filter(value -> value != JsonValue.Word.NULL);
    }

    private JsonValue required(String name) {
        return value(name).orElseThrow(() -> new UnreadableAnswerException("it has no field " + name));
    }

    String text(String name) {
        return optional(name).orElseThrow(() -> new UnreadableAnswerException("it has no field " + name));
    }

    /** Returns the text; empty when the field is missing. */
    Optional<String> optional(String name) {
        return value(name).map(JsonValue::text);
    }

    /** Returns the text as {@code read} reads it; empty when the field is missing. */
    <T> Optional<T> optional(String name, Function<String, T> read) {
        return optional(name).map(text -> read(name, text, read));
    }

    <T> T text(String name, Function<String, T> read) {
        return read(name, text(name), read);
    }

    private static <T> T read(String name, String text, Function<String, T> read) {
        try {
            return read.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new UnreadableAnswerException("its field " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    long number(String name) {
        return text(name, Long::parseLong);
    }

    int integer(String name) {
        return text(name, Integer::parseInt);
    }

    double decimal(String name) {
        return text(name, Double::parseDouble);
    }

    OptionalLong optionalNumber(String name) {
        return optional(name, Long::parseLong).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    boolean isTrue(String name) {
        return required(name) == JsonValue.Word.TRUE;
    }

    Instant time(String name) {
        return text(name, Instant::parse);
    }

    Optional<Instant> optionalTime(String name) {
        return optional(name, Instant::parse);
    }

    /** Returns a duration in milliseconds, with a fraction. */
    Duration millis(String name) {
        return text(name, Fields::millisOf);
    }

    private static Duration millisOf(String text) {
        return Duration.ofNanos(new BigDecimal(text)
                .movePointRight(NANOS_OF_MILLI)
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact());
    }

    byte[] base64(String name) {
        return text(name, Base64.getDecoder()::decode);
    }

    byte[] utf8(String name) {
        return text(name).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the constant whose name in small letters is the text. */
    <E extends Enum<E>> E constant(String name, Class<E> type) {
        return text(
                name,
                text -> Arrays.stream(type.getEnumConstants())
                        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not known")));
    }

    Fields object(String name) {
        return of(required(name));
    }

    Optional<Fields> optionalObject(String name) {
        return value(name).map(Fields::of);
    }

    /** Returns the items of a list; a missing list is empty. */
    List<JsonValue> values(String name) {
        return value(name)
                .map(value -> {
                    if (value instanceof JsonValue.Arr list) {
                        return list.items();
                    }
                    throw new UnreadableAnswerException("its field " + name + " is no list");
                })
                .orElse(List.of());
    }

    <T> List<T> list(String name, Function<Fields, T> read) {
        return values(name).stream().map(Fields::of).map(read).toList();
    }

    List<String> texts(String name) {
        return values(name).stream().map(JsonValue::text).toList();
    }

    List<Long> numbers(String name) {
        return texts(name).stream()
                .map(text -> read(name, text, Long::parseLong))
                .toList();
    }

    /** Returns the members of an object whose values are numbers. */
    Map<String, Long> counts(String name) {
        Map<String, Long> counts = new LinkedHashMap<>();
        members(name).forEach((key, value) -> counts.put(key, read(name, value.text(), Long::parseLong)));
        return counts;
    }

    /** Returns the members of an object; a missing object has none. */
    Map<String, JsonValue> members(String name) {
        return optionalObject(name).map(Fields::all).orElse(Map.of());
    }

    /** Returns all members of this object. */
    Map<String, JsonValue> all() {
        return object.members();
    }

    @Override
    public String toString() {
        return object.toString();
    }
}
