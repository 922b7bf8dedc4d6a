package io.redrive.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file with an entry for each action of {@link KafkaCrashWorker}s, shared by all processes of a round. An entry is one call of the
 * operating system and survives its process; a kill may tear the entry under way, which then has no mark and does not count. The
 * order of the entries is the order of the actions, across processes.
 */
final class KafkaCrashLedger implements AutoCloseable {

    /** The kind of the first entry of a process. */
    static final String LIFE = "life";

    /** The kind of an entry for a commit that the broker has acknowledged. */
    static final String COMMITTED = "committed";

    private static final String MARK = ";";

    private final FileChannel file;
    private final long process = ProcessHandle.current().pid();

    KafkaCrashLedger(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /**
     * An action.
     *
     * @param at milliseconds of the system's clock
     * @param process the process that acted
     * @param what the kind of action
     * @param record the text of the record
     */
    record Entry(long at, long process, String what, String record) {

        /** Returns true for the action of a handler or of the pipeline. */
        boolean isOfRecord() {
            return !what.equals(LIFE) && !what.equals(COMMITTED);
        }
    }

    void write(String what, String record) {
        String entry = "\n" + System.currentTimeMillis() + " " + process + " " + what + " " + record + MARK;
        try {
            file.write(ByteBuffer.wrap(entry.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Entry> read(Path path) throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(path)) {
            return lines.filter(line -> line.endsWith(MARK))
                    .map(line -> line.substring(0, line.length() - 1).split(" "))
                    .filter(parts -> parts.length == 4)
                    .map(parts -> new Entry(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], parts[3]))
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
