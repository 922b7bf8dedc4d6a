package io.redrive.pipelinefiles;

import io.redrive.items.Item;
import io.redrive.items.JsonLines;
import io.redrive.items.SampleSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The format of an input. */
enum InputFormat {
    /** One JSON value to a line. */
    JSONL,
    /** One JSON array, each element a sample. */
    JSON,
    /** A header and rows; each row is an object whose members have the names of the header. */
    CSV;

    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_ .-]*");
    private static final int LINES_READ = 2;

    /** Returns the format with this name. */
    static InputFormat of(String name) {
        return valueOf(Parse.word(name, "jsonl", "json", "csv").toUpperCase(Locale.ROOT));
    }

    /**
     * Guesses the format from the first two lines. An array on the first line with another line behind it is JSON lines. A first line
     * that is neither JSON nor a header is a broken line of JSON lines.
     */
    static InputFormat of(JsonLines.Opener bytes, int maxLine) throws Exception {
        List<String> lines = firstLines(bytes, maxLine);
        if (lines.isEmpty()) {
            return JSONL;
        }
        String first = lines.get(0);
        boolean json = isJson(first);
        if (first.startsWith("[")) {
            return json && lines.size() > 1 ? JSONL : JSON;
        }
        boolean jsonFollows = lines.size() > 1
                && (lines.get(1).startsWith("{") || lines.get(1).startsWith("["));
        if (json || first.startsWith("{") || jsonFollows) {
            return JSONL;
        }
        return CsvReader.hasSeparator(first) || NAME.matcher(first).matches() ? CSV : JSONL;
    }

    /** Returns the stripped lines; only the first character of a first line that is too long or not UTF-8. */
    private static List<String> firstLines(JsonLines.Opener bytes, int maxLine) throws Exception {
        List<String> lines = new ArrayList<>();
        try (SampleSource.Cursor<String> cursor =
                JsonLines.source(bytes, maxLine).open()) {
            for (Optional<Item<String>> next = cursor.next();
                    next.isPresent() && lines.size() < LINES_READ;
                    next = lines.size() < LINES_READ ? cursor.next() : Optional.empty()) {
                lines.add(
                        next.get() instanceof Item.Good<String> good
                                ? good.value().strip()
                                : "");
            }
        }
        if (!lines.isEmpty() && lines.get(0).isEmpty()) {
            lines.set(0, firstCharacter(bytes));
        }
        return lines;
    }

    private static String firstCharacter(JsonLines.Opener bytes) throws IOException {
        try (InputStream in = new BufferedInputStream(bytes.open())) {
            int b = in.read();
            while (b == ' ' || b == '\t' || b == '\r' || b == '\n' || b > 0x7F) {
                b = in.read();
            }
            return b < 0 ? "" : Character.toString(b);
        }
    }

    private static boolean isJson(String line) {
        try {
            JsonValue.parse(line);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
