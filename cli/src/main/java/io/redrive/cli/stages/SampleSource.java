package io.redrive.cli.stages;

import io.redrive.items.Item;
import io.redrive.items.JsonLines;
import io.redrive.items.Source;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonPointer;

/** Lines that are JSON. One that is not is a bad sample: accounted for, and no reason to stop. */
final class SampleSource implements Source<String> {

    private final Source<String> lines;
    private final Optional<JsonPointer> id;

    SampleSource(Path file, int maxLine, Optional<JsonPointer> id) {
        lines = JsonLines.source(file, maxLine);
        this.id = id;
    }

    @Override
    public OptionalLong size() throws Exception {
        return lines.size();
    }

    @Override
    public Cursor<String> open() throws Exception {
        Cursor<String> cursor = lines.open();
        return new Cursor<>() {
            @Override
            public Optional<Item<String>> next() throws Exception {
                return cursor.next().map(SampleSource.this::checked);
            }

            @Override
            public void close() throws Exception {
                cursor.close();
            }
        };
    }

    private Item<String> checked(Item<String> item) {
        if (!(item instanceof Item.Good<String> line)) {
            return item;
        }
        JsonValue value;
        try {
            value = JsonValue.parse(line.value());
        } catch (IllegalArgumentException e) {
            return Item.bad(line.id(), "malformed_json", "line " + line.id() + " " + e.getMessage());
        }
        if (id.isEmpty()) {
            return item;
        }
        Optional<JsonValue> found = value.at(id.get()).filter(named -> named != JsonValue.Word.NULL);
        if (found.isEmpty()) {
            return Item.bad(line.id(), "no_id", "line " + line.id() + " has no id at " + id.get());
        }
        try {
            return Item.of(found.get().text(), line.value());
        } catch (IllegalArgumentException e) {
            return Item.bad(line.id(), "no_id", "line " + line.id() + ": " + e.getMessage());
        }
    }
}
