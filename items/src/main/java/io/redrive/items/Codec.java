package io.redrive.items;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;

/**
 * Turns the values between stages into bytes and back. Samples are kept as bytes, so that a retry or a resume starts from
 * exactly what the stage before made: an attempt that failed half-way cannot have spoiled it. Must be thread-safe.
 *
 * @param <T> the values
 */
public interface Codec<T> {

    /** The bytes of {@code value}. */
    byte[] encode(T value);

    /** The value in these bytes. */
    T decode(byte[] bytes);

    /** Text as UTF-8; bytes that are no UTF-8 are refused. */
    static Codec<String> text() {
        return Text.CODEC;
    }

    /**
     * Values that can be written as text and read back, such as records as JSON:
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

    /** Bytes as they are. Do not change an array that was handed to you. */
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
            // A replacement character may be in the text itself; only then it is worth a second look.
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

    /** Bytes as they are. */
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
