package io.redrive.items;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Files with one JSON text to a line. The texts pass as they are; what is in them is the stages' business. */
public final class JsonLines {

    private JsonLines() {}

    /** Opens the bytes of a file at their beginning; the same bytes each time. */
    @FunctionalInterface
    public interface Opener {
        /** The bytes; the caller closes them. */
        InputStream open() throws IOException;
    }

    /** Samples from the lines of a file; empty lines are passed over, ids are line numbers. */
    public static SampleSource<String> source(Path file) {
        return new JsonLinesSource(() -> Files.newInputStream(file), ItemPipeline.DEFAULT_MAX_PAYLOAD, null);
    }

    /** Samples from the lines of a file that may have {@code maxLine} bytes; a longer one is a bad sample. */
    public static SampleSource<String> source(Path file, int maxLine) {
        return source(() -> Files.newInputStream(file), maxLine);
    }

    /**
     * Samples from lines that come from anywhere, such as a packed file:
     * {@code JsonLines.source(() -> new GZIPInputStream(Files.newInputStream(file)), maxLine)}.
     */
    public static SampleSource<String> source(Opener bytes, int maxLine) {
        return new JsonLinesSource(bytes, maxLine, null);
    }

    /** Samples from the lines of a file, under the ids {@code id} finds in them. */
    public static SampleSource<String> source(Path file, Function<String, String> id) {
        return new JsonLinesSource(() -> Files.newInputStream(file), ItemPipeline.DEFAULT_MAX_PAYLOAD, id);
    }

    /**
     * Results as lines of a file; each result is there exactly once, whatever crashed. A file whose name ends with
     * {@code .gz} is packed with gzip: each commit adds a member of its own, so a crash tears the last one only, and that one
     * is cut off when the run is resumed.
     */
    public static Sink<String> sink(Path file) {
        return new JsonLinesSink(file);
    }
}
