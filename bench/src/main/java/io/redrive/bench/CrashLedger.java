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
 * A file with a line for each action of a {@link CrashWorker}. Lines go to the operating system at once and survive the
 * killed process; the machine itself stays up.
 */
final class CrashLedger implements AutoCloseable {

    private final FileChannel file;

    private CrashLedger(FileChannel file) {
        this.file = file;
    }

    /** An action and the id of its event; for the start of a process, the number of the life. */
    record Entry(String what, String id) {}

    static CrashLedger open(Path path) throws IOException {
        return new CrashLedger(
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    void write(String what, String id) {
        try {
            file.write(ByteBuffer.wrap((what + " " + id + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Entry> read(Path path) throws IOException {
        try (Stream<String> lines = Files.lines(path)) {
            return lines.map(line -> line.split(" "))
                    .map(parts -> new Entry(parts[0], parts[1]))
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
