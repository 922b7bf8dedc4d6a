package io.redrive.kafka;

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
 * The handled records as a file that outlives the killed processes which write it. An entry is one call of the operating system:
 * a line feed, the text, and a mark. A kill may tear the entry that is being written; the entry then has no mark, does not count,
 * and spoils no other entry. The record of a torn entry was not finished, so it must be handled again.
 */
final class HandledLedger {

    private static final String MARK = ";";

    private final Path file;

    HandledLedger(Path file) {
        this.file = file;
    }

    /** Returns when the operating system has the entry. */
    void add(String text) {
        ByteBuffer entry = ByteBuffer.wrap(("\n" + text + MARK).getBytes(StandardCharsets.UTF_8));
        int length = entry.remaining();
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            if (channel.write(entry) != length) {
                throw new IOException("entry " + text + " was written in part");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the complete entries, in the order in which they were written. */
    List<String> entries() {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.endsWith(MARK))
                    .map(line -> line.substring(0, line.length() - MARK.length()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
