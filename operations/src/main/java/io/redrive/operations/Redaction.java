package io.redrive.operations;

import io.redrive.events.Event;
import io.redrive.events.JsonPayload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Replaces parts of an event that must not be shown: fields of a JSON payload by JSON pointer, and headers by name. A {@code *} in
 * a pointer stands for any field or any element: {@code /items/*}{@code /iban}. All other parts of a JSON payload keep their values;
 * white space may change. A payload that is not JSON is replaced as a whole when there is a rule for fields.
 */
public final class Redaction {

    /** The replacement of a value. */
    public static final String REPLACEMENT = "[redacted]";

    /** The most rules. */
    public static final int MAX_RULES = 1_000;

    private static final String HEADER = "header:";
    /** The limit of payloads bounds all of these. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .streamWriteConstraints(StreamWriteConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .build())
            .build();

    private final List<List<String>> pointers = new ArrayList<>();
    private final Set<String> headers = new HashSet<>();

    private Redaction() {}

    /**
     * Reads rules: JSON pointers such as {@code /card/number}, and {@code header:authorization}.
     *
     * @throws IllegalArgumentException when a rule is neither, or there are too many
     */
    public static Redaction of(List<String> rules) {
        if (rules.size() > MAX_RULES) {
            throw new IllegalArgumentException("at most " + MAX_RULES + " redaction rules, got " + rules.size());
        }
        Redaction redaction = new Redaction();
        for (String rule : rules) {
            if (rule.startsWith(HEADER) && rule.length() > HEADER.length()) {
                redaction.headers.add(rule.substring(HEADER.length()).toLowerCase(Locale.ROOT));
            } else if (rule.startsWith("/") && rule.length() > 1) {
                redaction.pointers.add(segments(rule));
            } else {
                throw new IllegalArgumentException("a redaction rule must be a JSON pointer such as /card/number or"
                        + " header:NAME, got '" + rule + "'");
            }
        }
        return redaction;
    }

    private static List<String> segments(String pointer) {
        List<String> segments = new ArrayList<>();
        for (String segment : pointer.substring(1).split("/", -1)) {
            segments.add(segment.replace("~1", "/").replace("~0", "~"));
        }
        return segments;
    }

    /** Returns the event with the values of all rules replaced. */
    public Event apply(Event event) {
        Map<String, String> kept = new TreeMap<>();
        event.headers()
                .forEach((name, value) ->
                        kept.put(name, headers.contains(name.toLowerCase(Locale.ROOT)) ? REPLACEMENT : value));
        return event.toBuilder()
                .headers(kept)
                .payload(payload(event.payload(), event.contentType()), event.contentType())
                .build();
    }

    private byte[] payload(byte[] payload, String contentType) {
        if (pointers.isEmpty() || payload.length == 0) {
            return payload;
        }
        if (!JsonPayload.isJson(contentType) || JsonPayload.complaint(payload).isPresent()) {
            return REPLACEMENT.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length);
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), payload);
                JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            copy(parser, generator);
        }
        return out.toByteArray();
    }

    /** Copies token by token: numbers keep their digits, and a deep document needs no stack. */
    private void copy(JsonParser parser, JsonGenerator generator) {
        Deque<String> path = new ArrayDeque<>();
        Deque<int[]> elements = new ArrayDeque<>();
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            boolean inArray = !elements.isEmpty() && elements.peek()[0] >= 0;
            if (token == JsonToken.PROPERTY_NAME) {
                path.push(parser.currentName());
            } else if (token.isStructEnd()) {
                elements.pop();
                generator.copyCurrentEvent(parser);
                leave(path, elements);
                continue;
            } else if (inArray) {
                path.push(String.valueOf(elements.peek()[0]++));
            }
            if (token != JsonToken.PROPERTY_NAME && matches(path)) {
                parser.skipChildren();
                generator.writeString(REPLACEMENT);
                leave(path, elements);
            } else {
                write(parser, token, generator);
                if (token.isStructStart()) {
                    elements.push(new int[] {token == JsonToken.START_ARRAY ? 0 : -1});
                } else if (token != JsonToken.PROPERTY_NAME) {
                    leave(path, elements);
                }
            }
        }
    }

    private static void write(JsonParser parser, JsonToken token, JsonGenerator generator) {
        if (token.isNumeric()) {
            generator.writeNumber(parser.getString());
        } else {
            generator.copyCurrentEvent(parser);
        }
    }

    /** A value has ended: its name or its index leaves the path. The outermost value has neither. */
    private static void leave(Deque<String> path, Deque<int[]> elements) {
        if (!elements.isEmpty()) {
            path.pop();
        }
    }

    private boolean matches(Deque<String> path) {
        // The depth first: copying the path of each value of a deep document would take for ever.
        List<List<String>> asDeep = pointers.stream()
                .filter(pointer -> pointer.size() == path.size())
                .toList();
        if (asDeep.isEmpty()) {
            return false;
        }
        List<String> here = new ArrayList<>(path);
        return asDeep.stream().anyMatch(pointer -> matches(pointer, here));
    }

    private static boolean matches(List<String> pointer, List<String> innermostFirst) {
        int depth = innermostFirst.size();
        for (int i = 0; i < depth; i++) {
            String wanted = pointer.get(i);
            if (!wanted.equals("*") && !wanted.equals(innermostFirst.get(depth - 1 - i))) {
                return false;
            }
        }
        return true;
    }
}
