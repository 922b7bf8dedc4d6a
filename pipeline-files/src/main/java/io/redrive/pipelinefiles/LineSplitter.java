package io.redrive.pipelinefiles;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Cuts a stream of bytes into lines. A line over the limit is dropped, so that memory stays bounded. */
final class LineSplitter {

    private final int maxLine;
    private ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private boolean tooLong;

    /** A line, or {@link #END} for the end of the stream; the text of a line over the limit is empty. */
    record Line(String text, boolean tooLong) {
        static final Line END = new Line("", false);

        @SuppressWarnings("ReferenceEquality")
        boolean isEnd() {
            return this == END;
        }
    }

    LineSplitter(int maxLine) {
        this.maxLine = maxLine;
    }

    /** Returns the lines that end in these bytes, and keeps the bytes after the last line break for the next call. */
    List<Line> split(byte[] bytes, int length) {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                keep(bytes, start, i);
                lines.add(new Line(tooLong ? "" : rest.toString(StandardCharsets.UTF_8), tooLong));
                rest = new ByteArrayOutputStream();
                tooLong = false;
                start = i + 1;
            }
        }
        keep(bytes, start, length);
        return lines;
    }

    private void keep(byte[] bytes, int from, int to) {
        tooLong |= rest.size() + (to - from) > maxLine;
        if (!tooLong) {
            rest.write(bytes, from, to - from);
        }
    }
}
