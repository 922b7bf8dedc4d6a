package io.redrive.items;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;

/**
 * Encodes the values between stages as bytes. A run keeps the encoded value of the previous stage, so that every attempt, also
 * after a resume, starts from a fresh copy: a failed attempt cannot leave a half-changed value. Must be thread-safe.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {

    /** Returns the bytes of {@code value}. */
    byte[] encode(T value);

    /** Returns the value that {@code bytes} encode. */
    T decode(byte[] bytes);

    /** Returns a codec of text as UTF-8. Refuses to decode other bytes with an {@link IllegalArgumentException}. */
    static Codec<String> text() {
        return Text.CODEC;
    }

    /**
     * Returns a codec of values with a text form, such as records as JSON:
     *
     * <pre>{@code
     * Codec.text(mapper::writeValueAsString, text -> mapper.readValue(text, Article.class))
     * }</pre>
     */
    static <T> Codec<T> text(Function<? super T, String> write, Function<String, ? extends T> read) {
        Objects.requireNonNull(write, "write");
        Objects.requireNonNull(read, "read");
        return new Codec<>() {
            @Override
            public byte[] encode(T value) {
                return Text.CODEC.encode(write.apply(value));
            }

            @Override
            public T decode(byte[] bytes) {
                return read.apply(Text.CODEC.decode(bytes));
            }
        };
    }

    /** Returns a codec of byte arrays, which are not copied: stages must not change an array. */
    static Codec<byte[]> bytes() {
        return Bytes.CODEC;
    }

    /** Text as UTF-8. */
    final class Text implements Codec<String> {
        private static final Codec<String> CODEC = new Text();

        private Text() {}

        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            // The decoder replaces malformed bytes by U+FFFD, which may also be part of the text: only then check the
            // bytes.
            if (text.indexOf('\uFFFD') >= 0) {
                requireUtf8(bytes);
            }
            return text;
        }

        private static void requireUtf8(byte[] bytes) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("text must be UTF-8, got bytes that are not", e);
            }
        }
    }

    /** Unchanged bytes. */
    final class Bytes implements Codec<byte[]> {
        private static final Codec<byte[]> CODEC = new Bytes();

        private Bytes() {}

        @Override
        public byte[] encode(byte[] value) {
            return value;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes;
        }
    }
}
