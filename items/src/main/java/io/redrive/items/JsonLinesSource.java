package io.redrive.items;

import io.redrive.core.Failure;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lines of a file. A line over the limit or with malformed UTF-8 is a bad sample. Memory per line is bounded. */
final class JsonLinesSource implements SampleSource<String> {

    private static final int BUFFER = 64 * 1024;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final JsonLines.Opener bytes;
    private final int maxLine;
    /** Null when the line number is the id. */
    private final @Nullable Function<String, String> id;

    JsonLinesSource(JsonLines.Opener bytes, int maxLine, @Nullable Function<String, String> id) {
        this.bytes = bytes;
        this.maxLine = maxLine;
        this.id = id;
    }

    @Override
    public Cursor<String> open() throws IOException {
        return new Lines(opened());
    }

    /** Opens the input after the byte order mark with which some editors and exports begin a file. */
    private InputStream opened() throws IOException {
        BufferedInputStream in = new BufferedInputStream(bytes.open(), BUFFER);
        try {
            in.mark(BYTE_ORDER_MARK.length);
            if (!Arrays.equals(in.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
                in.reset();
            }
            return in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /** Counts the lines that are not blank by reading the file: about a second per gigabyte. */
    @Override
    public OptionalLong size() throws IOException {
        long lines = 0;
        boolean content = false;
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = opened()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    if (buffer[i] == '\n') {
                        lines += content ? 1 : 0;
                        content = false;
                    } else if (!isBlank(buffer[i])) {
                        content = true;
                    }
                }
            }
        }
        return OptionalLong.of(lines + (content ? 1 : 0));
    }

    private static boolean isBlank(int b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    private final class Lines implements Cursor<String> {
        private final InputStream in;
        private long line;

        Lines(InputStream in) {
            this.in = in;
        }

        @Override
        public Optional<Item<String>> next() throws IOException {
            while (true) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
                long length = 0;
                boolean content = false;
                int b = in.read();
                if (b < 0) {
                    return Optional.empty();
                }
                for (; b >= 0 && b != '\n'; b = in.read()) {
                    length++;
                    content |= !isBlank(b);
                    if (length <= maxLine + 1L) {
                        bytes.write(b);
                    }
                }
                line++;
                if (content) {
                    return Optional.of(toItem(bytes.toByteArray(), length));
                }
            }
        }

        private Item<String> toItem(byte[] bytes, long length) {
            String lineNumber = Long.toString(line);
            if (length > maxLine) {
                return Item.bad(
                        lineNumber,
                        "line_too_long",
                        "line " + line + " has " + length + " bytes, the limit is " + maxLine);
            }
            int end = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
            try {
                String text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, 0, end))
                        .toString();
                return Item.of(id == null ? lineNumber : id.apply(text), text);
            } catch (CharacterCodingException e) {
                return Item.bad(lineNumber, "malformed_utf8", "line " + line + " is no UTF-8");
            } catch (RuntimeException e) {
                return Item.bad(
                        lineNumber, "no_id", "line " + line + " gives no id: " + new Failure.Thrown(e, false).detail());
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
