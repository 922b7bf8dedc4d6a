package io.redrive.events.redaction;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Copies one JSON document token by token and replaces values on the way: numbers keep their digits, doubled keys stay doubled, and a
 * deep document needs no stack. Patterns see decoded strings, so an escape cannot split a secret.
 */
final class JsonRedactor {

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

    private final List<List<String>> pointers;
    private final TextPatterns patterns;
    private final SearchBudget budget;
    private final Set<String> secrets;
    private final Deque<String> path = new ArrayDeque<>();
    /** For each open structure, innermost first: the next index of an array, or -1 for an object. */
    private final Deque<int[]> elements = new ArrayDeque<>();

    private boolean touched;

    /**
     * Prepares a copy of a payload of {@code size} bytes.
     *
     * @param secrets receives the values that pointers replace
     */
    JsonRedactor(List<List<String>> pointers, TextPatterns patterns, int size, Set<String> secrets) {
        this.pointers = pointers;
        this.patterns = patterns;
        budget = patterns.budget(size);
        this.secrets = secrets;
    }

    /** Returns the copy; {@code payload} itself, byte by byte, when no rule matches. */
    byte[] copy(byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length);
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), payload);
                JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            copy(parser, generator);
        }
        return touched ? out.toByteArray() : payload;
    }

    private void copy(JsonParser parser, JsonGenerator generator) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                path.push(parser.currentName());
                generator.writeName(searched(parser.currentName()));
            } else if (token.isStructEnd()) {
                elements.pop();
                generator.copyCurrentEvent(parser);
                leave();
            } else {
                value(parser, token, generator);
            }
        }
    }

    private void value(JsonParser parser, JsonToken token, JsonGenerator generator) {
        if (!elements.isEmpty() && elements.peek()[0] >= 0) {
            path.push(String.valueOf(elements.peek()[0]++));
        }
        if (isNamed()) {
            collect(parser, token);
            generator.writeString(Redaction.REPLACEMENT);
            touched = true;
            leave();
        } else if (token.isStructStart()) {
            generator.copyCurrentEvent(parser);
            elements.push(new int[] {token == JsonToken.START_ARRAY ? 0 : -1});
        } else {
            scalar(parser, token, generator);
            leave();
        }
    }

    private void scalar(JsonParser parser, JsonToken token, JsonGenerator generator) {
        if (!token.isNumeric() && token != JsonToken.VALUE_STRING) {
            generator.copyCurrentEvent(parser);
            return;
        }
        String text = parser.getString();
        String searched = searched(text);
        if (token.isNumeric() && searched.equals(text)) {
            generator.writeNumber(text);
        } else {
            generator.writeString(searched);
        }
    }

    private String searched(String text) {
        String result = patterns.replaced(text, budget);
        touched |= !result.equals(text);
        return result;
    }

    /** Reads a replaced value to its end and keeps the texts and numbers within as secrets. */
    private void collect(JsonParser parser, JsonToken token) {
        int depth = 0;
        JsonToken at = token;
        while (true) {
            if (at.isStructStart()) {
                depth++;
            } else if (at.isStructEnd()) {
                depth--;
            } else if (at.isNumeric() || at == JsonToken.VALUE_STRING) {
                Redaction.addSecret(secrets, parser.getString());
            }
            if (depth == 0) {
                return;
            }
            at = parser.nextToken();
        }
    }

    /** A value has ended: its name or its index leaves the path. The outermost value has neither. */
    private void leave() {
        if (!elements.isEmpty()) {
            path.pop();
        }
    }

    private boolean isNamed() {
        List<List<String>> asDeep = pointers.stream()
                .filter(pointer -> pointer.size() == path.size())
                .toList();
        if (asDeep.isEmpty()) {
            return false;
        }
        List<String> innermostFirst = new ArrayList<>(path);
        return asDeep.stream().anyMatch(pointer -> names(pointer, innermostFirst));
    }

    private static boolean names(List<String> pointer, List<String> innermostFirst) {
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
