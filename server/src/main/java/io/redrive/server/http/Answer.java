package io.redrive.server.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/** Builds the JSON object of an answer; its members keep their order. */
final class Answer {

    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * Adds a member; an empty Optional and null add none.
     *
     * @param value a number, a truth value, an answer, a map, a list or raw JSON; of any other value the text is taken
     */
    Answer put(String name, @Nullable Object value) {
        Object plain = plain(value);
        if (plain != null) {
            members.put(name, plain);
        }
        return this;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return plain(optional.orElse(null));
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? optional.getAsLong() : null;
        }
        if (value instanceof Answer answer) {
            return answer.members;
        }
        if (value instanceof Duration duration) {
            return duration.toNanos() / 1_000_000.0;
        }
        if (value instanceof Collection<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(plain(item)));
            return items;
        }
        boolean json = value instanceof Number || value instanceof Boolean || value instanceof Map;
        return value == null || json || value instanceof RawValue ? value : value.toString();
    }

    /** Returns the members for the JSON writer. */
    Map<String, Object> done() {
        return members;
    }

    /** Returns a list without further pages. */
    static <T> Map<String, Object> list(List<T> rows, Function<T, Answer> each) {
        return new Answer()
                .put("items", rows.stream().map(row -> each.apply(row).members).toList())
                .done();
    }

    /** Returns a page: a full page has the cursor of the next one. */
    static <T> Map<String, Object> page(List<T> rows, int limit, Function<T, ?> each, ToLongFunction<T> cursor) {
        return pageByText(rows, limit, each, row -> String.valueOf(cursor.applyAsLong(row)));
    }

    /** {@link #page} with cursors that are not numbers. */
    static <T> Map<String, Object> pageByText(
            List<T> rows, int limit, Function<T, ?> each, Function<T, String> cursor) {
        Answer page = new Answer().put("items", rows.stream().map(each).toList());
        if (rows.size() == limit) {
            page.put("next_cursor", cursor.apply(rows.get(rows.size() - 1)));
        }
        return page.done();
    }
}
