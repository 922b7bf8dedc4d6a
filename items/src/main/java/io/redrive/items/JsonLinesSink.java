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
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * Appends lines to a file. The position of the sink is the length of the file; {@link #open} cuts off bytes beyond the committed
 * position.
 */
final class JsonLinesSink implements Sink<String> {

    private final Path file;
    private final boolean packed;
    private FileChannel channel;
    private FileLock lock;

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
        // An interrupt during a write closes the channel.
        if (channel == null || !channel.isOpen()) {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lockAlone();
        }
        long length = Long.parseLong(position.orElse("0"));
        if (channel.size() < length) {
            throw new IllegalStateException("output " + file + " must have the " + length
                    + " bytes the run has written to it, got " + channel.size()
                    + "; put it back where it was, or start a new run");
        }
        if (position.isEmpty() && channel.size() > 0) {
            throw new IllegalStateException("output " + file + " must be empty when a run begins, got " + channel.size()
                    + " bytes; choose another file, or move it away");
        }
        channel.truncate(length);
        channel.position(length);
        channel.force(true);
        FolderSync.sync(file.getParent());
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
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
        return Long.toString(channel.position());
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
            lock = null;
        }
    }

    /** Replaces line breaks by spaces: valid JSON has raw line breaks only between tokens. */
    private static String oneLine(String text) {
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : text.replace('\n', ' ').replace('\r', ' ');
    }

    private void lockAlone() throws IOException {
        try {
            lock = channel.tryLock();
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
