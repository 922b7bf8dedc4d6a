package io.redrive.server.http;

import io.redrive.core.SettingException;
import io.redrive.server.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A JSON object of a request, read field by field. {@link #done} refuses the fields that no call has read before. */
final class Body {

    /** Refuses doubled fields and text behind the value; numbers keep their digits. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(tools.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final String path;
    private final JsonNode object;
    /** In the order of reading. A list: a body has few fields, and a set for each event of a batch costs more. */
    private final List<String> known = new ArrayList<>(16);

    private Body(String path, JsonNode object) {
        this.path = path;
        this.object = object;
    }

    /** Parses the bytes of a body. */
    static JsonNode parse(byte[] bytes) {
        if (bytes.length == 0) {
            throw Problem.wrong("body", null, "must be JSON");
        }
        try {
            return JSON.readTree(bytes);
        } catch (JacksonException e) {
            throw Problem.wrong("body", null, "must be valid JSON in UTF-8: " + e.getOriginalMessage());
        }
    }

    /** Returns a parser with the same rules, for one pass without a tree. */
    static JsonParser parser(byte[] bytes) {
        return JSON.createParser(bytes);
    }

    /** Returns what {@code members} writes, as JSON. */
    static byte[] written(int expectedSize, Consumer<JsonGenerator> members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(expectedSize);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            members.accept(json);
        }
        return bytes.toByteArray();
    }

    /** Returns a value as JSON. */
    static byte[] bytes(JsonNode value) {
        return JSON.writeValueAsBytes(value);
    }

    /** Reads a body that is one object. */
    static Body object(byte[] bytes) {
        return of("", parse(bytes));
    }

    /** Reads an object at this path of a body. */
    static Body of(String path, JsonNode node) {
        if (!node.isObject()) {
            throw Problem.wrong(path.isEmpty() ? "body" : path, shown(node), "must be a JSON object");
        }
        return new Body(path, node);
    }

    private String at(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    private static String shown(JsonNode node) {
        return node.isObject() ? "an object" : node.isArray() ? "an array" : node.toString();
    }

    /** Returns the value of a field; empty for a missing field and for null. */
    Optional<JsonNode> node(String field) {
        known.add(field);
        return Optional.ofNullable(object.get(field)).filter(value -> !value.isNull());
    }

    Optional<String> text(String field) {
        return node(field).map(value -> {
            if (!value.isString()) {
                throw Problem.wrong(at(field), shown(value), "must be a text");
            }
            return value.asString();
        });
    }

    String requiredText(String field) {
        return text(field).orElseThrow(() -> Problem.wrong(at(field), null, "must be a text"));
    }

    /** Returns the text as {@code parse} reads it; a refusal names the field. */
    <T> Optional<T> value(String field, Function<String, T> parse) {
        return text(field).map(value -> Query.read(at(field), value, parse));
    }

    Optional<Instant> time(String field) {
        return value(field, Instant::parse);
    }

    Optional<Long> number(String field) {
        return node(field).map(value -> {
            if (!value.isIntegralNumber() || !value.canConvertToLong()) {
                throw Problem.wrong(at(field), shown(value), "must be a whole number");
            }
            return value.asLong();
        });
    }

    Optional<Integer> integer(String field) {
        return number(field).map(value -> {
            if (value != (int) (long) value) {
                throw Problem.wrong(at(field), value.toString(), "must be a whole number below two billion");
            }
            return (int) (long) value;
        });
    }

    boolean isTrue(String field) {
        return truth(field).orElse(false);
    }

    Optional<Boolean> truth(String field) {
        return node(field).map(value -> {
            if (!value.isBoolean()) {
                throw Problem.wrong(at(field), shown(value), "must be true or false");
            }
            return value.asBoolean();
        });
    }

    Optional<Body> section(String field) {
        return node(field).map(value -> of(at(field), value));
    }

    List<JsonNode> list(String field) {
        return node(field)
                .map(value -> {
                    if (!value.isArray()) {
                        throw Problem.wrong(at(field), shown(value), "must be a list");
                    }
                    List<JsonNode> items = new ArrayList<>();
                    value.forEach(items::add);
                    return items;
                })
                .orElse(List.of());
    }

    List<Long> ids(String field) {
        return list(field).stream()
                .map(item -> {
                    if (!item.isIntegralNumber() || !item.canConvertToLong() || item.asLong() < 1) {
                        throw Problem.wrong(at(field), shown(item), "must be a list of ids, numbers from 1");
                    }
                    return item.asLong();
                })
                .toList();
    }

    List<String> texts(String field) {
        return list(field).stream()
                .map(item -> {
                    if (!item.isString()) {
                        throw Problem.wrong(at(field), shown(item), "must be a list of texts");
                    }
                    return item.asString();
                })
                .toList();
    }

    /** Returns an object whose values are texts, numbers or truth values, as texts. */
    Map<String, String> scalars(String field) {
        Map<String, String> scalars = new LinkedHashMap<>();
        node(field)
                .ifPresent(value -> of(at(field), value).object.forEachEntry((name, member) -> {
                    if (!member.isValueNode() || member.isNull()) {
                        throw Problem.wrong(at(field) + "." + name, shown(member), "must be a text or a number");
                    }
                    scalars.put(name, member.asString());
                }));
        return scalars;
    }

    /** Refuses the fields that no call has read, because most of them are misspelled and would have no effect. */
    void done() {
        object.forEachEntry((name, value) -> {
            if (!known.contains(name)) {
                Set<String> fields = new LinkedHashSet<>(known);
                String meant = SettingException.nearest(name, fields)
                        .map(word -> "; did you mean " + word + "?")
                        .orElse("");
                throw Problem.wrong(
                        at(name), shown(value), "must be one of the fields " + String.join(", ", fields) + meant);
            }
        });
    }
}
