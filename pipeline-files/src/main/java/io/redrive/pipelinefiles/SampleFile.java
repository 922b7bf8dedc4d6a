package io.redrive.pipelinefiles;

import io.redrive.items.Item;
import io.redrive.items.JsonLines;
import io.redrive.items.SampleSource;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonPointer;

/**
 * The samples of a file in any {@link InputFormat}, packed or not. A sample that is not JSON is a bad sample, which the run counts as
 * dead.
 */
final class SampleFile implements SampleSource<String> {

    private final SampleSource<String> samples;
    private final InputFormat format;
    private final Optional<JsonPointer> id;

    private SampleFile(SampleSource<String> samples, InputFormat format, Optional<JsonPointer> id) {
        this.samples = samples;
        this.format = format;
        this.id = id;
    }

    /** Reads the samples of {@code file}; without a given format, the content of the file decides about the format. */
    static SampleFile of(Path file, int maxSample, Optional<InputFormat> given, Optional<JsonPointer> id)
            throws Exception {
        JsonLines.Opener bytes = () -> PackedFile.open(file);
        InputFormat format = given.isPresent() ? given.get() : InputFormat.of(bytes, maxSample);
        SampleSource<String> samples = switch (format) {
            case JSONL -> JsonLines.source(bytes, maxSample);
            case JSON -> new JsonArraySource(bytes, maxSample);
            case CSV -> new CsvSource(bytes, maxSample);
        };
        return new SampleFile(samples, format, id);
    }

    @Override
    public OptionalLong size() throws Exception {
        if (format == InputFormat.JSONL) {
            return samples.size();
        }
        long count = 0;
        try (Cursor<String> cursor = samples.open()) {
            while (cursor.next().isPresent()) {
                count++;
            }
        }
        return OptionalLong.of(count);
    }

    @Override
    public Cursor<String> open() throws Exception {
        Cursor<String> cursor = samples.open();
        return new Cursor<>() {
            @Override
            public Optional<Item<String>> next() throws Exception {
                return cursor.next().map(SampleFile.this::checked);
            }

            @Override
            public void close() throws Exception {
                cursor.close();
            }
        };
    }

    private Item<String> checked(Item<String> item) {
        if (!(item instanceof Item.Good<String> sample)) {
            return item;
        }
        String place = (format == InputFormat.JSON ? "element " : "line ") + sample.id();
        JsonValue value;
        try {
            value = JsonValue.parse(sample.value());
        } catch (IllegalArgumentException e) {
            return Item.bad(sample.id(), "malformed_json", place + " " + e.getMessage());
        }
        // Stages and sinks need a sample on a single line; an element of an array may span several.
        String text = format == InputFormat.JSON ? value.toString() : sample.value();
        if (id.isEmpty()) {
            return Item.of(sample.id(), text);
        }
        Optional<JsonValue> found = value.at(id.get()).filter(named -> named != JsonValue.Word.NULL);
        if (found.isEmpty()) {
            return Item.bad(sample.id(), "no_id", place + " has no id at " + id.get());
        }
        try {
            return Item.of(found.get().text(), text);
        } catch (IllegalArgumentException e) {
            return Item.bad(sample.id(), "no_id", place + ": " + e.getMessage());
        }
    }
}
