package io.redrive.server.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The arguments of a call of a tool. A wrong argument is refused with its name, its value and the rule. */
final class Arguments {

    private static final int SHOWN = 60;

    private final Map<String, @Nullable Object> given;

    Arguments(@Nullable Map<String, @Nullable Object> given) {
        this.given = given == null ? Map.of() : given;
    }

    Map<String, @Nullable Object> given() {
        return given;
    }

    Optional<String> text(String name) {
        Object value = given.get(name);
        if (value == null || value.equals("")) {
            return Optional.empty();
        }
        if (value instanceof String text) {
            return Optional.of(text);
        }
        throw wrong(name, value, "must be a text");
    }

    String requiredText(String name) {
        return text(name).orElseThrow(() -> wrong(name, "", "must be given"));
    }

    <T> Optional<T> value(String name, Function<String, T> read) {
        return text(name).map(text -> {
            try {
                return read.apply(text);
            } catch (RuntimeException e) {
                throw wrong(name, text, "is refused: " + e.getMessage());
            }
        });
    }

    Optional<Long> number(String name) {
        Object value = given.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Integer || value instanceof Long) {
            return Optional.of(((Number) value).longValue());
        }
        throw wrong(name, value, "must be a whole number");
    }

    long requiredNumber(String name) {
        return number(name).orElseThrow(() -> wrong(name, "", "must be given"));
    }

    /** Returns the number of rows to answer with. */
    int limit(int usual, int most) {
        long limit = number("limit").orElse((long) usual);
        if (limit < 1 || limit > most) {
            throw wrong("limit", limit, "must be 1 to " + most);
        }
        return (int) limit;
    }

    Optional<Double> fraction(String name) {
        Object value = given.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Number number) {
            return Optional.of(number.doubleValue());
        }
        throw wrong(name, value, "must be a number");
    }

    boolean isTrue(String name) {
        Object value = given.get(name);
        if (value == null || value instanceof Boolean) {
            return Boolean.TRUE.equals(value);
        }
        throw wrong(name, value, "must be true or false");
    }

    List<Long> ids(String name) {
        Object value = given.get(name);
        if (value == null) {
            return List.of();
        }
        List<Long> ids = new ArrayList<>();
        for (Object item : value instanceof List<?> items ? items : List.of(value)) {
            if (!(item instanceof Integer || item instanceof Long) || ((Number) item).longValue() < 1) {
                throw wrong(name, item, "must be a list of ids, numbers from 1");
            }
            ids.add(((Number) item).longValue());
        }
        return ids;
    }

    static IllegalArgumentException wrong(String name, Object value, String rule) {
        String text = String.valueOf(value);
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
        return new IllegalArgumentException(
                "argument " + name + " " + rule + (shown.isEmpty() ? "" : ", got '" + shown + "'"));
    }
}
