package io.redrive.pipelinefiles;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the rows of a CSV file by RFC 4180: values in quotes may hold separators, line breaks and doubled quotes. Empty lines are
 * skipped. A row takes no more memory than the limit.
 */
final class CsvReader {

    /** Stands for a byte ahead that has not been read; -1 is the end of the input. */
    private static final int NOT_READ = -2;

    private static final String SEPARATORS = ",;\t";

    private final InputStream in;
    private final int separator;
    private final int maxRow;
    private long line = 1;
    private int ahead = NOT_READ;

    /** A row with its values, or a bad row with the reason. */
    sealed interface Row {
        /** Returns the line on which the row begins, from 1. */
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

    /** Returns the separator of this header: a comma, or the semicolon or tab of a header without a comma. */
    static int separatorOf(String header) {
        return SEPARATORS
                .chars()
                .filter(separator -> header.indexOf(separator) >= 0)
                .findFirst()
                .orElse(',');
    }

    /** Returns the next row; empty at the end of the input. */
    Optional<Row> next() throws IOException {
        while (true) {
            long began = line;
            int b = read();
            if (b < 0) {
                return Optional.empty();
            }
            if (b != '\n' && !(b == '\r' && peek() == '\n')) {
                return Optional.of(new Parser(began).row(b));
            }
        }
    }

    private int peek() throws IOException {
        if (ahead == NOT_READ) {
            ahead = in.read();
        }
        return ahead;
    }

    private int read() throws IOException {
        int b = peek();
        ahead = NOT_READ;
        line += b == '\n' ? 1 : 0;
        return b;
    }

    /** Reads one row to its end, also a bad row, because the next row starts there. */
    private final class Parser {
        private final long began;
        private final List<String> values = new ArrayList<>();
        private final ByteArrayOutputStream value = new ByteArrayOutputStream();
        private long length;
        private Optional<Row> bad = Optional.empty();

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
            return bad.orElseGet(() -> new Row.Values(began, values));
        }

        /** Reads a value without quotes and returns the separator, the line break or -1 behind it. */
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
                bad("malformed_utf8", "is not UTF-8");
            }
            value.reset();
        }

        private void bad(String type, String problem) {
            bad = Optional.of(new Row.Bad(began, type, "line " + began + " " + problem));
        }
    }
}
