package io.redrive.spring;

import io.redrive.core.SettingException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies settings that may be absent: an absent value changes nothing, a refused value is a {@link SettingException}. */
final class OptionalSetting {

    private OptionalSetting() {}

    /** Calls {@code use} with {@code value}, the value of {@code key}, unless absent. */
    static <T> void apply(String key, @Nullable T value, Function<T, ?> use) {
        if (value != null) {
            withKey(key, value, () -> use.apply(value));
        }
    }

    /** Returns {@code value}, or {@code otherwise} when absent. */
    static <T> T orDefault(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    /** Returns {@code start} changed by {@code value}, the value of {@code key}; unchanged when absent. */
    static <S, T> S with(String key, S start, @Nullable T value, BiFunction<S, T, S> change) {
        return value == null ? start : withKey(key, value, () -> change.apply(start, value));
    }

    /**
     * Returns the result of {@code make}; an {@code IllegalArgumentException} becomes a {@link SettingException} for
     * {@code key}.
     */
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
