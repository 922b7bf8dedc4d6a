package io.redrive.items.run;

import io.redrive.items.Result;
import io.redrive.items.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A sink that goes back to a position like a file, and can fail in the middle of a write. */
final class MemorySink implements Sink<String> {

    final List<String> lines = new ArrayList<>();
    int failingWrite;
    boolean closed;
    private int writes;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String open(Optional<String> position) {
        int length = Integer.parseInt(position.orElse("0"));
        lines.subList(length, lines.size()).clear();
        return Integer.toString(length);
    }

    @Override
    public String write(List<Result<String>> results) {
        writes++;
        for (Result<String> result : results) {
            lines.add(result.value());
            if (writes == failingWrite) {
                throw new IllegalStateException("disk full");
            }
        }
        return Integer.toString(lines.size());
    }

    @Override
    public void close() {
        closed = true;
    }
}
