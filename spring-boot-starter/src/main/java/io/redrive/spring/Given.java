package io.redrive.spring;

import java.util.function.BiFunction;
import java.util.function.Function;

/** Settings that were given are used, others left as they are. */
final class Given {

    private Given() {}

    static <T> void of(T value, Function<T, ?> use) {
        if (value != null) {
            use.apply(value);
        }
    }

    /** {@code value}, or without it {@code otherwise}. */
    static <T> T or(T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    /** {@code start} with {@code value}, where it was given. */
    static <S, T> S with(S start, T value, BiFunction<S, T, S> change) {
        return value == null ? start : change.apply(start, value);
    }
}
