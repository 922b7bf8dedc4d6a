package io.redrive.spring;

import io.redrive.core.SettingException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Uses the settings that were given and leaves the others as they are. A refused one is a {@link SettingException}. */
final class OptionalSetting {

    private OptionalSetting() {}

    /** Calls {@code use} with {@code value}, the value of {@code key}, where it was given. */
    static <T> void apply(String key, T value, Function<T, ?> use) {
        if (value != null) {
            withKey(key, value, () -> use.apply(value));
        }
    }

    /** Returns {@code value}, or without it {@code otherwise}. */
    static <T> T orDefault(T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    /** Returns {@code start} with {@code value}, the value of {@code key}, where it was given. */
    static <S, T> S with(String key, S start, T value, BiFunction<S, T, S> change) {
        return value == null ? start : withKey(key, value, () -> change.apply(start, value));
    }

    /** Returns what {@code make} makes of {@code value}; a refusal names {@code key}. */
    static <T> T withKey(String key, Object value, Supplier<T> make) {
        try {
            return make.get();
        } catch (SettingException e) {
            throw e;
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw SettingException.because(key, value.toString(), e);
        }
    }
}
