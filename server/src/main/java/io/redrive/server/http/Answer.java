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

/** Builds the JSON object of an answer; its members keep their order. */
final class Answer {

    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * Adds a member; an empty Optional and null add none.
     *
     * @param value a number, a truth value, an answer, a map or a list; of any other value the text is taken
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
        return value == null || value instanceof Number || value instanceof Boolean || value instanceof Map
                ? value
                : value.toString();
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
    static <T> Map<String, Object> page(
            List<T> rows, int limit, Function<T, Map<String, Object>> each, ToLongFunction<T> cursor) {
        Answer page = new Answer().put("items", rows.stream().map(each).toList());
        if (rows.size() == limit) {
            page.put("next_cursor", String.valueOf(cursor.applyAsLong(rows.get(rows.size() - 1))));
        }
        return page.done();
    }
}
