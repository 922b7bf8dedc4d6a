package io.redrive.events;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The headers of an event in the order in which they were added. Immutable. An array, because events have few headers: a table of hashes
 * for the headers of a record of Kafka costs more than the rest of its event.
 */
final class EventHeaders extends AbstractMap<String, String> {

    static final EventHeaders NONE = new EventHeaders(new String[0]);

    /** Names and values in turns. */
    private final @Nullable String[] pairs;

    private EventHeaders(@Nullable String[] pairs) {
        this.pairs = pairs;
    }

    /** Returns headers with the names and values of the map, in its order. */
    static EventHeaders of(Map<String, String> headers) {
        if (headers instanceof EventHeaders same) {
            return same;
        }
        @Nullable String[] pairs = new String[2 * headers.size()];
        int at = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            pairs[at++] = header.getKey();
            pairs[at++] = header.getValue();
        }
        return new EventHeaders(pairs);
    }

    /** Returns these headers and one more; a header of the same name is replaced in its place. */
    EventHeaders with(@Nullable String name, @Nullable String value) {
        int at = indexOf(name);
        @Nullable String[] changed = Arrays.copyOf(pairs, at < 0 ? pairs.length + 2 : pairs.length);
        int to = at < 0 ? pairs.length : at;
        changed[to] = name;
        changed[to + 1] = value;
        return new EventHeaders(changed);
    }

    /** Checks names, values and their number. */
    EventHeaders require() {
        if (size() > Event.MAX_HEADERS) {
            requireFew();
        }
        for (int i = 0; i < pairs.length; i += 2) {
            String name = Texts.require("header name", pairs[i]);
            @Nullable String value = pairs[i + 1];
            int longest = name.equals(Event.RECORD_HEADER) ? Event.MAX_RECORD_LENGTH : Event.MAX_HEADER_LENGTH;
            if (value == null || value.length() > longest || !Texts.isWellFormed(value)) {
                throw new IllegalArgumentException("header '" + name + "' must be at most " + longest
                        + " characters of well-formed text, got " + Texts.shown(value));
            }
        }
        return this;
    }

    /** The mark of a redacted event and the rest of a record are none of the publisher's headers. */
    private void requireFew() {
        int counted =
                size() - (containsKey(DeadLetter.REDACTED_HEADER) ? 1 : 0) - (containsKey(Event.RECORD_HEADER) ? 1 : 0);
        if (counted > Event.MAX_HEADERS) {
            throw new IllegalArgumentException(
                    "headers must be at most " + Event.MAX_HEADERS + " entries, got " + counted);
        }
    }

    private int indexOf(@Nullable Object name) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (Objects.equals(pairs[i], name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int size() {
        return pairs.length / 2;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return indexOf(name) >= 0;
    }

    @Override
    public @Nullable String get(@Nullable Object name) {
        int at = indexOf(name);
        return at < 0 ? null : pairs[at + 1];
    }

    @Override
    @SuppressWarnings("NullAway") // Headers that anybody sees have passed require().
    public void forEach(BiConsumer<? super String, ? super String> action) {
        for (int i = 0; i < pairs.length; i += 2) {
            action.accept(pairs[i], pairs[i + 1]);
        }
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return EventHeaders.this.size();
            }

            @Override
            public Iterator<Map.Entry<String, String>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, String>> {

        private int next;

        @Override
        public boolean hasNext() {
            return next < pairs.length;
        }

        @Override
        public Map.Entry<String, String> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            next += 2;
            return new SimpleImmutableEntry<>(pairs[next - 2], pairs[next - 1]);
        }
    }
}
