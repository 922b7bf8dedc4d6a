package io.redrive.items;

import java.nio.file.Path;
import java.util.function.Function;

/** Files with one JSON text to a line. The texts pass as they are; what is in them is the stages' business. */
public final class JsonLines {

    private JsonLines() {}

    /** Samples from the lines of a file; empty lines are passed over, ids are line numbers. */
    public static Source<String> source(Path file) {
        return new JsonLinesSource(file, ItemPipeline.DEFAULT_MAX_PAYLOAD, null);
    }

    /** Samples from the lines of a file that may have {@code maxLine} bytes; a longer one is a bad sample. */
    public static Source<String> source(Path file, int maxLine) {
        return new JsonLinesSource(file, maxLine, null);
    }

    /** Samples from the lines of a file, under the ids {@code id} finds in them. */
    public static Source<String> source(Path file, Function<String, String> id) {
        return new JsonLinesSource(file, ItemPipeline.DEFAULT_MAX_PAYLOAD, id);
    }

    /** Results as lines of a file; each result is there exactly once, whatever crashed. */
    public static Sink<String> sink(Path file) {
        return new JsonLinesSink(file);
    }
}
