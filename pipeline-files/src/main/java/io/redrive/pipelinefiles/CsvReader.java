package io.redrive.pipelinefiles;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a CSV file as RFC 4180 has them: values in quotes may hold separators, line breaks and doubled quotes. Lines without
 * any value are passed over. A row takes no more memory than the limit.
 */
final class CsvReader {

    private static final String SEPARATORS = ",;\t";

    private final InputStream in;
    private final int separator;
    private final int maxRow;
    private long line = 1;
    private int ahead = -2;

    /** A row with its values, or a bad row with the reason. */
    sealed interface Row {
        /** The line on which it begins, from 1. */
        long line();

        /** The values of a row. */
        record Values(long line, List<String> values) implements Row {}

        /** A row that cannot be read. */
        record Bad(long line, String type, String message) implements Row {}
    }

    CsvReader(InputStream in, int separator, int maxRow) {
        this.in = in;
        this.separator = separator;
        this.maxRow = maxRow;
    }

    static boolean hasSeparator(String header) {
        return SEPARATORS.chars().anyMatch(separator -> header.indexOf(separator) >= 0);
    }

    /** A comma, or the semicolon or tab of a header that has no comma. */
    static int separatorOf(String header) {
        return SEPARATORS
                .chars()
                .filter(separator -> header.indexOf(separator) >= 0)
                .findFirst()
                .orElse(',');
    }

    /** The next row; null at the end. */
    Row next() throws IOException {
        while (true) {
            long began = line;
            int b = read();
            if (b < 0) {
                return null;
            }
            if (b != '\n' && !(b == '\r' && peek() == '\n')) {
                return new Parser(began).row(b);
            }
        }
    }

    private int peek() throws IOException {
        if (ahead == -2) {
            ahead = in.read();
        }
        return ahead;
    }

    private int read() throws IOException {
        int b = peek();
        ahead = -2;
        line += b == '\n' ? 1 : 0;
        return b;
    }

    /** Reads one row to its end. The end of a bad row is found too, so that the next row is read from its beginning. */
    private final class Parser {
        private final long began;
        private final List<String> values = new ArrayList<>();
        private final ByteArrayOutputStream value = new ByteArrayOutputStream();
        private long length;
        private String type;
        private String message;

        Parser(long began) {
            this.began = began;
        }

        Row row(int first) throws IOException {
            int b = first;
            while (true) {
                b = b == '"' ? quoted() : plain(b);
                add();
                if (b != separator) {
                    break;
                }
                b = read();
            }
            if (length > maxRow) {
                bad("line_too_long", "has " + length + " bytes, the limit is " + maxRow);
            }
            return type == null ? new Row.Values(began, values) : new Row.Bad(began, type, message);
        }

        /** Up to the separator, or the line's end, which it returns. */
        private int plain(int first) throws IOException {
            int b = first;
            while (b >= 0 && b != separator && b != '\n') {
                if (!(b == '\r' && (peek() == '\n' || peek() < 0))) {
                    keep(b);
                }
                b = read();
            }
            return b;
        }

        private int quoted() throws IOException {
            for (int b = read(); ; b = read()) {
                if (b < 0) {
                    bad("malformed_csv", "has a quote that is never closed");
                    return b;
                }
                if (b == '"') {
                    if (peek() != '"') {
                        return afterQuote();
                    }
                    read();
                }
                keep(b);
            }
        }

        private int afterQuote() throws IOException {
            int b = read();
            if (b == '\r' && (peek() == '\n' || peek() < 0)) {
                b = read();
            }
            if (b >= 0 && b != separator && b != '\n') {
                bad("malformed_csv", "has text behind a closing quote; a quote within quotes is doubled");
                return plain(b);
            }
            return b;
        }

        private void keep(int b) {
            length++;
            if (length <= maxRow) {
                value.write(b);
            }
        }

        private void add() {
            length++;
            if (length > maxRow) {
                value.reset();
                return;
            }
            try {
                values.add(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(value.toByteArray()))
                        .toString());
            } catch (CharacterCodingException e) {
                bad("malformed_utf8", "is no UTF-8");
            }
            value.reset();
        }

        private void bad(String what, String why) {
            type = what;
            message = "line " + began + " " + why;
        }
    }
}
