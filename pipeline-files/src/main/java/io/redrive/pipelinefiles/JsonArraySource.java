package io.redrive.pipelinefiles;

import io.redrive.items.Item;
import io.redrive.items.JsonLines;
import io.redrive.items.SampleSource;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The elements of one JSON array, read one at a time because the array may be larger than memory. Brackets and quotes mark where an
 * element ends; the caller parses the elements. An array without its closing bracket ends with a bad sample.
 */
record JsonArraySource(JsonLines.Opener bytes, int maxElement) implements SampleSource<String> {

    private static final int BUFFER = 64 * 1024;

    @Override
    public Cursor<String> open() throws IOException {
        InputStream in = new BufferedInputStream(bytes.open(), BUFFER);
        int b = in.read();
        // Skips white space and a byte order mark, which some editors write.
        while (b >= 0 && b != '[') {
            b = in.read();
        }
        return new Elements(in, maxElement);
    }

    private static final class Elements implements Cursor<String> {
        private final InputStream in;
        private final int max;
        private long place;
        private boolean closed;
        private boolean ended;
        private final ByteArrayOutputStream element = new ByteArrayOutputStream();
        private long length;
        private boolean content;

        Elements(InputStream in, int max) {
            this.in = in;
            this.max = max;
        }

        @Override
        public Optional<Item<String>> next() throws IOException {
            if (ended) {
                return Optional.empty();
            }
            place++;
            if (closed) {
                ended = true;
                boolean more = toEndOfElement() >= 0 || content;
                return more ? Optional.of(bad("must be the whole input, and more text follows")) : Optional.empty();
            }
            int end = toEndOfElement();
            if (end == ',') {
                return Optional.of(item());
            }
            closed = true;
            if (end < 0) {
                ended = true;
                return Optional.of(bad("must end with ']', and the input ends before it; it may have been cut"));
            }
            return content || place > 1 ? Optional.of(item()) : next();
        }

        /** Returns the comma or bracket behind the element, or -1 at the end of the input. */
        private int toEndOfElement() throws IOException {
            element.reset();
            length = 0;
            content = false;
            int depth = 0;
            boolean quoted = false;
            while (true) {
                int b = in.read();
                if (b < 0 || (!quoted && depth == 0 && (b == ',' || b == ']'))) {
                    return b;
                }
                if (quoted) {
                    quoted = b != '"';
                } else {
                    quoted = b == '"';
                    depth += b == '[' || b == '{' ? 1 : b == ']' || b == '}' ? -1 : 0;
                }
                keep(b);
                if (quoted && b == '\\') {
                    keep(Math.max(' ', in.read()));
                }
            }
        }

        private void keep(int b) {
            content |= b != ' ' && b != '\t' && b != '\r' && b != '\n';
            length++;
            if (length <= max) {
                element.write(b);
            }
        }

        private Item<String> item() {
            String id = Long.toString(place);
            if (length > max) {
                return Item.bad(
                        id, "line_too_long", "element " + id + " has " + length + " bytes, the limit is " + max);
            }
            try {
                return Item.of(
                        id,
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(element.toByteArray()))
                                .toString());
            } catch (CharacterCodingException e) {
                return Item.bad(id, "malformed_utf8", "element " + id + " is not UTF-8");
            }
        }

        private Item<String> bad(String rule) {
            return Item.bad(Long.toString(place), "malformed_json", "element " + place + ": the array " + rule);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
