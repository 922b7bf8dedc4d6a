package io.redrive.items;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Sources and sinks of files with one JSON text per line. The JSON is neither parsed nor checked: stages do so. */
public final class JsonLines {

    private JsonLines() {}

    /** Opens an input at its first byte; must return the same bytes each time. */
    @FunctionalInterface
    public interface Opener {
        /** Returns the bytes; the caller closes the stream. */
        InputStream open() throws IOException;
    }

    /** Returns the lines of a file as samples, at most 1 MiB each. Blank lines are skipped; ids are line numbers. */
    public static SampleSource<String> source(Path file) {
        return new JsonLinesSource(() -> Files.newInputStream(file), ItemPipeline.DEFAULT_MAX_PAYLOAD, null);
    }

    /** Returns the lines of a file as samples of at most {@code maxLine} bytes. A longer line is a bad sample. */
    public static SampleSource<String> source(Path file, int maxLine) {
        return source(() -> Files.newInputStream(file), maxLine);
    }

    /**
     * Returns the lines of any input as samples, for example of a packed file:
     * {@code JsonLines.source(() -> new GZIPInputStream(Files.newInputStream(file)), maxLine)}.
     */
    public static SampleSource<String> source(Opener bytes, int maxLine) {
        return new JsonLinesSource(bytes, maxLine, null);
    }

    /** Returns the lines of a file as samples whose ids {@code id} takes from the line. */
    public static SampleSource<String> source(Path file, Function<String, String> id) {
        return new JsonLinesSource(() -> Files.newInputStream(file), ItemPipeline.DEFAULT_MAX_PAYLOAD, id);
    }

    /**
     * Returns a sink that writes each result as one line, exactly once even after a crash. A file whose name ends with
     * {@code .gz} is packed with gzip: each commit adds one gzip member, so a crash can damage only the last member, and the
     * resumed run cuts that member off.
     */
    public static Sink<String> sink(Path file) {
        return new JsonLinesSink(file);
    }
}
