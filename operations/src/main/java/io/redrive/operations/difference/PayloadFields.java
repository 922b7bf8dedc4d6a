package io.redrive.operations.difference;

import io.redrive.operations.difference.Subject.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * The fields of one payload: of JSON each value by its pointer, of other payloads none. Reads token by token, without recursion,
 * and ends at each limit, so that no payload takes long or much memory.
 */
final class PayloadFields {

    /** The deepest level of fields that are compared. */
    static final int MAX_DEPTH = 16;
    /** The most values of a payload that are compared. */
    static final int MAX_VALUES = 200;
    /** The longest JSON pointer of a field that is compared. */
    static final int MAX_POINTER = 120;

    private static final String JSON_KIND = "JSON";

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final Function<Subject, @Nullable Subject> interned;
    private final Map<Subject, List<Value>> values = new HashMap<>();
    private final boolean cut;
    private final String kind;
    private boolean complete;
    private int count;
    private @Nullable Subject last;

    /** An object or array that is being read. */
    private static final class Level {
        private final @Nullable String pointer;
        private final boolean array;
        private int elements;
        private String name = "";

        /** The pointer is null below the deepest level and behind a pointer that is too long. */
        Level(@Nullable String pointer, boolean array) {
            this.pointer = pointer;
            this.array = array;
        }
    }

    /**
     * Reads the fields.
     *
     * @param payload the payload, or its beginning
     * @param size the bytes of the whole payload
     * @param interned returns the one object for equal subjects; null for a subject to leave out
     */
    PayloadFields(byte[] payload, int size, Function<Subject, @Nullable Subject> interned) {
        this.interned = interned;
        cut = payload.length < size;
        complete = !cut;
        boolean read = looksLikeJson(payload) && read(payload);
        if (!read) {
            values.clear();
            complete = false;
        }
        kind = read ? JSON_KIND : kindOf(payload);
    }

    /** Returns the fields; the map belongs to the caller from now on. */
    Map<Subject, List<Value>> values() {
        return values;
    }

    /** Returns false when the payload may have further fields, or is not JSON. */
    boolean isComplete() {
        return complete;
    }

    /** Returns {@code JSON}, {@code text}, {@code binary} or {@code empty}. */
    String kind() {
        return kind;
    }

    /** Objects and arrays only: a lone number or word may be anything. */
    private static boolean looksLikeJson(byte[] payload) {
        for (byte b : payload) {
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b == '{' || b == '[';
            }
        }
        return false;
    }

    private String kindOf(byte[] payload) {
        if (payload.length == 0) {
            return "empty";
        }
        // The cut may go through a character, which has at most four bytes.
        for (int dropped = 0; dropped < (cut ? 4 : 1) && dropped < payload.length; dropped++) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload, 0, payload.length - dropped));
                return "text";
            } catch (CharacterCodingException e) {
                continue;
            }
        }
        return "binary";
    }

    /** Returns false when the payload is not JSON. The end of a cut payload ends the reading. */
    private boolean read(byte[] payload) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), payload)) {
            Deque<Level> levels = new ArrayDeque<>();
            boolean ended = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (ended) {
                    return false;
                }
                take(parser, token, levels);
                ended = levels.isEmpty();
            }
            return ended;
        } catch (JacksonException e) {
            forgetLast();
            return cut;
        }
    }

    /** Forgets the value before the cut, which may be the beginning of a longer number. */
    private void forgetLast() {
        List<Value> added = last == null ? List.of() : values.getOrDefault(last, List.of());
        if (added.size() > 1) {
            added.remove(added.size() - 1);
        } else if (last != null) {
            values.remove(last);
        }
    }

    private void take(JsonParser parser, JsonToken token, Deque<Level> levels) {
        Level parent = levels.peek();
        // A later token shows that the value before was whole.
        last = null;
        if (token == JsonToken.PROPERTY_NAME) {
            if (parent != null) {
                parent.name = parser.currentName();
            }
            return;
        }
        if (token.isStructEnd()) {
            Level ended = levels.pop();
            if (ended.array) {
                add(ended.pointer, Value.array(ended.elements));
            }
            return;
        }
        String pointer = pointer(parent, levels.size());
        if (parent != null) {
            parent.elements++;
        }
        if (token == JsonToken.START_OBJECT) {
            add(pointer, Value.OBJECT);
        } else if (token != JsonToken.START_ARRAY) {
            add(pointer, scalar(parser, token));
        }
        if (token.isStructStart()) {
            levels.push(new Level(pointer, token == JsonToken.START_ARRAY));
        }
    }

    private @Nullable String pointer(@Nullable Level parent, int depth) {
        if (parent == null) {
            return "";
        }
        if (parent.pointer == null || depth > MAX_DEPTH || parent.name.length() > MAX_POINTER) {
            complete = false;
            return null;
        }
        String segment = parent.array ? "*" : parent.name.replace("~", "~0").replace("/", "~1");
        String pointer = parent.pointer + "/" + segment;
        if (pointer.length() > MAX_POINTER) {
            complete = false;
            return null;
        }
        return pointer;
    }

    private static Value scalar(JsonParser parser, JsonToken token) {
        return switch (token) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Value.number(parser.getString());
            case VALUE_TRUE -> Value.TRUE;
            case VALUE_FALSE -> Value.FALSE;
            case VALUE_NULL -> Value.NULL;
            default -> Value.quoted(parser.getString());
        };
    }

    private void add(@Nullable String pointer, Value value) {
        if (pointer == null) {
            return;
        }
        Subject subject = count < MAX_VALUES ? interned.apply(new Subject(Kind.FIELD, pointer)) : null;
        if (subject == null) {
            complete = false;
            return;
        }
        List<Value> earlier = values.get(subject);
        if (earlier == null) {
            values.put(subject, new ArrayList<>(List.of(value)));
            last = subject;
            count++;
        } else if (!earlier.contains(value)) {
            earlier.add(value);
            last = subject;
            count++;
        }
    }
}
