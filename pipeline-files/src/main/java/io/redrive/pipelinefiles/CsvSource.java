package io.redrive.pipelinefiles;

import io.redrive.items.Item;
import io.redrive.items.JsonLines;
import io.redrive.items.SampleSource;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of a CSV file as JSON objects with strings. A row that cannot be read is a bad sample. A header that cannot be used is
 * refused, because no row can be read without a header.
 */
record CsvSource(JsonLines.Opener bytes, int maxRow) implements SampleSource<String> {

    private static final int BUFFER = 64 * 1024;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    @Override
    public Cursor<String> open() throws IOException {
        InputStream in = afterMark(new BufferedInputStream(bytes.open(), BUFFER));
        try {
            CsvReader rows = new CsvReader(in, separator(in), maxRow);
            List<String> header = rows.next().map(CsvSource::header).orElse(List.of());
            return new Rows(in, rows, header);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /** Finds the separator in the first line with text, and resets the stream to the beginning. */
    private int separator(InputStream in) throws IOException {
        in.mark(BUFFER);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean quoted = false;
        int b = in.read();
        for (int i = 1;
                b >= 0
                        && i < BUFFER
                        && (quoted
                                || b != '\n'
                                || line.toString(StandardCharsets.UTF_8).isBlank());
                i++) {
            quoted ^= b == '"';
            if (!quoted) {
                line.write(b);
            }
            b = in.read();
        }
        in.reset();
        return CsvReader.separatorOf(line.toString(StandardCharsets.UTF_8));
    }

    private static InputStream afterMark(InputStream in) throws IOException {
        in.mark(BYTE_ORDER_MARK.length);
        if (!Arrays.equals(in.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
            in.reset();
        }
        return in;
    }

    private static List<String> header(CsvReader.Row row) {
        if (row instanceof CsvReader.Row.Bad bad) {
            throw new IllegalArgumentException("the header of the CSV input must be readable: " + bad.message());
        }
        List<String> names = ((CsvReader.Row.Values) row).values();
        Map<String, Integer> columns = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String at = "line " + row.line() + ": column " + (i + 1) + " of the CSV header must have a name";
            if (names.get(i).isBlank()) {
                throw new IllegalArgumentException(at + ", got none");
            }
            Integer before = columns.put(names.get(i), i + 1);
            if (before != null) {
                throw new IllegalArgumentException(
                        at + " of its own, got '" + names.get(i) + "', which is column " + before + " too");
            }
        }
        return names;
    }

    private record Rows(InputStream in, CsvReader rows, List<String> header) implements Cursor<String> {

        @Override
        public Optional<Item<String>> next() throws IOException {
            return rows.next().map(this::item);
        }

        private Item<String> item(CsvReader.Row row) {
            String place = Long.toString(row.line());
            if (row instanceof CsvReader.Row.Bad bad) {
                return Item.bad(place, bad.type(), bad.message());
            }
            List<String> values = ((CsvReader.Row.Values) row).values();
            if (values.size() != header.size()) {
                return Item.bad(
                        place,
                        "malformed_csv",
                        "line " + place + " must have " + header.size() + " values, as the header has, got "
                                + values.size());
            }
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (int i = 0; i < values.size(); i++) {
                members.put(header.get(i), new JsonValue.Text(values.get(i)));
            }
            return Item.of(place, new JsonValue.Obj(members).toString());
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
