package io.redrive.pipeline;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Moves old dead letters from a store to files. A sweep exports some letters to one new file of JSON lines, packed with gzip, which
 * {@code redrive dlq import} reads again. The order of steps makes sure that no letter is lost:
 *
 * <ol>
 *   <li>The letters are written to a file with the ending {@code .part}, and the content is synced.
 *   <li>The file gets its name, and the folder is synced: from here on, a loss of power keeps the file.
 *   <li>One transaction deletes the letters that are still as exported, and adds the row to the record of actions.
 * </ol>
 *
 * <p>A crash before the last step leaves letters that are exported again by the next sweep: a letter may be exported twice, never zero
 * times. A folder that cannot be written, or a full disk, ends the sweep before anything is deleted. A letter that was edited since its
 * export stays. Files are readable by their owner only, because they hold all stored values, redacted or not.
 */
public final class LetterArchive {

    /** The verb of a sweep in the record of actions. */
    public static final String ACTION = "retire";

    private static final int LETTERS = 500;
    private static final long BYTES = 16L << 20;
    /** Letters come with payload and history, so pages are small. */
    private static final int PAGE = 50;

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

    private final DeadLetters letters;
    private final LetterRetention retention;

    /** Archives the letters of a store. */
    public LetterArchive(DeadLetters letters, LetterRetention retention) {
        this.letters = letters;
        this.retention = retention;
    }

    /**
     * The result of a sweep.
     *
     * @param letters the number of deleted letters
     * @param exported the number of letters in the file; more than deleted when letters were changed meanwhile
     * @param file the name of the file; empty when no letter is old enough
     */
    public record Sweep(long letters, long exported, String file) {

        static final Sweep NOTHING = new Sweep(0, 0, "");

        /** Returns true when the sweep found letters, so another sweep may find more. */
        public boolean foundLetters() {
            return exported > 0;
        }
    }

    /**
     * Exports and deletes the oldest letters, at most 500.
     *
     * @param command the command of the sweep; the row in the record of actions names the file
     * @throws IOException when the file cannot be written; no letter is deleted
     */
    public Sweep sweep(OperatorCommand command, Instant now) throws IOException {
        LetterFilter old = LetterFilter.ALL.withTime(null, now.minus(retention.olderThan()));
        List<DeadLetter> page = page(old);
        if (page.isEmpty()) {
            return Sweep.NOTHING;
        }
        Path file = export(page, now);
        OperatorCommand named = command.about("to " + file.getFileName() + ", " + old.describe());
        int deleted = letters.retire(page, named, now);
        return new Sweep(deleted, page.size(), file.getFileName().toString());
    }

    private List<DeadLetter> page(LetterFilter old) {
        List<DeadLetter> found = new ArrayList<>();
        long bytes = 0;
        long last = 0;
        while (found.size() < LETTERS && bytes < BYTES) {
            List<DeadLetter> next = letters.listWithHistory(old, last, PAGE);
            found.addAll(next);
            bytes += next.stream()
                    .mapToLong(letter -> letter.event().payloadSize())
                    .sum();
            if (next.size() < PAGE) {
                break;
            }
            last = next.get(next.size() - 1).id();
        }
        return found;
    }

    private Path export(List<DeadLetter> page, Instant now) throws IOException {
        Path folder = retention.folder();
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        long first = page.get(0).id();
        long last = page.get(page.size() - 1).id();
        Path growing = folder.resolve("letters-" + first + ".part");
        try {
            write(growing, page);
            Path file = free(folder, "letters-" + STAMP.format(now) + "-" + first + "-" + last);
            Files.move(growing, file, StandardCopyOption.ATOMIC_MOVE);
            sync(folder);
            return file;
        } finally {
            Files.deleteIfExists(growing);
        }
    }

    private static void write(Path growing, List<DeadLetter> page) throws IOException {
        // A part that a killed process left behind has no reader.
        Files.deleteIfExists(growing);
        try (FileChannel channel = FileChannel.open(growing, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            if (isPosix(growing)) {
                Files.setPosixFilePermissions(growing, PosixFilePermissions.fromString("rw-------"));
            }
            GZIPOutputStream packed = new GZIPOutputStream(Channels.newOutputStream(channel));
            Writer lines = new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8));
            for (DeadLetter letter : page) {
                lines.write(DeadLetterJson.write(letter));
                lines.write('\n');
            }
            lines.flush();
            packed.finish();
            channel.force(true);
        }
    }

    private static Path free(Path folder, String name) {
        Path file = folder.resolve(name + ".jsonl.gz");
        for (int i = 2; Files.exists(file); i++) {
            file = folder.resolve(name + "-" + i + ".jsonl.gz");
        }
        return file;
    }

    private static void sync(Path folder) throws IOException {
        if (isPosix(folder)) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
