package io.redrive.pipelinefiles;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Splits a stream of bytes into lines. A line that is too long takes no more memory than the limit. */
final class LineSplitter {

    private final int maxLine;
    private ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private boolean tooLong;

    /** A line of the stream, or the end of the stream. */
    sealed interface Line {
        record Text(String text) implements Line {}

        enum Mark implements Line {
            TOO_LONG,
            END_OF_STREAM
        }
    }

    LineSplitter(int maxLine) {
        this.maxLine = maxLine;
    }

    /** Returns the lines that end in these bytes; bytes behind the last line break are kept for the next call. */
    List<Line> split(byte[] bytes, int length) {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                keep(bytes, start, i);
                lines.add(tooLong ? Line.Mark.TOO_LONG : new Line.Text(rest.toString(StandardCharsets.UTF_8)));
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
