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

    /** The kind of an entry that a process writes all the time, whatever its handlers do. */
    static final String PULSE = "pulse";

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
    record Entry(long at, long process, String what, String record) {}

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
