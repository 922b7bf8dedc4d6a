package io.redrive.items;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Appends lines to a file. The position of the sink is the length of the file; {@link #open} cuts off bytes beyond the committed
 * position.
 */
final class JsonLinesSink implements Sink<String> {

    private final Path file;
    private final boolean packed;
    private @Nullable FileChannel channel;

    JsonLinesSink(Path file) {
        this.file = file.toAbsolutePath();
        packed = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    }

    @Override
    public String name() {
        return "jsonl:" + file;
    }

    @Override
    public String open(Optional<String> position) throws IOException {
        FileChannel opened = opened();
        long length = Long.parseLong(position.orElse("0"));
        if (opened.size() < length) {
            throw new IllegalStateException("output " + file + " must have the " + length
                    + " bytes the run has written to it, got " + opened.size()
                    + "; put it back where it was, or start a new run");
        }
        if (position.isEmpty() && opened.size() > 0) {
            throw new IllegalStateException("output " + file + " must be empty when a run begins, got " + opened.size()
                    + " bytes; choose another file, or move it away");
        }
        opened.truncate(length);
        opened.position(length);
        opened.force(true);
        FolderSync.syncFolderOf(file);
        return Long.toString(length);
    }

    @Override
    public String write(List<Result<String>> results) throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        try (OutputStream lines = packed ? new GZIPOutputStream(page) : page) {
            for (Result<String> result : results) {
                lines.write(oneLine(result.value()).getBytes(StandardCharsets.UTF_8));
                lines.write('\n');
            }
        }
        ByteBuffer bytes = ByteBuffer.wrap(page.toByteArray());
        FileChannel opened = Objects.requireNonNull(channel, "a sink must be opened before it is written");
        while (bytes.hasRemaining()) {
            opened.write(bytes);
        }
        opened.force(false);
        return Long.toString(opened.position());
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    /** Replaces line breaks by spaces: valid JSON has raw line breaks only between tokens. */
    private static String oneLine(String text) {
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : text.replace('\n', ' ').replace('\r', ' ');
    }

    /** Returns the open channel; an interrupt during a write closes the channel, which is then opened again. */
    private FileChannel opened() throws IOException {
        FileChannel current = channel;
        if (current == null || !current.isOpen()) {
            current = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel = current;
            lock(current);
        }
        return current;
    }

    /** Locks the file until the channel is closed. */
    private void lock(FileChannel opened) throws IOException {
        FileLock lock;
        try {
            lock = opened.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            close();
            throw new IllegalStateException(
                    "output " + file + " must be written by one process at a time and is written by another now; each"
                            + " process that shares a run needs a file of its own");
        }
    }
}
