package io.redrive.cli.dlq;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A file of dead letters, one in each line, read twice: {@link #check} parses all lines, {@link #each} passes the letters on. The
 * first pass keeps the first letters, as memory allows, so that the second pass parses only the lines after them.
 */
final class LetterFile {

    private final Path file;
    private final String name;
    private final long mostKept;
    private final Deque<DeadLetter> kept = new ArrayDeque<>();
    private long total;

    /**
     * @param name the name of the file in messages
     * @param mostKept how many characters the lines of kept letters may have together; a letter needs a few times the memory of its
     *     line
     */
    LetterFile(Path file, String name, long mostKept) {
        this.file = file;
        this.name = name;
        this.mostKept = mostKept;
    }

    /** Returns the number of letters; zero before {@link #check}. */
    long total() {
        return total;
    }

    /**
     * Parses all lines and passes the number of letters so far to {@code counted}.
     *
     * @throws IllegalArgumentException naming file, line, field and rule
     */
    void check(LongConsumer counted) throws IOException {
        long[] characters = {0};
        parse(0, "nothing was imported", (letter, length) -> {
            characters[0] += length;
            if (characters[0] <= mostKept) {
                kept.add(letter);
            }
            counted.accept(++total);
        });
    }

    /**
     * Passes all letters to {@code action}, in the order of the file; once, after {@link #check}.
     *
     * @throws IllegalArgumentException if a line became wrong since the check
     */
    void each(Consumer<DeadLetter> action) throws IOException {
        long parsed = kept.size();
        while (!kept.isEmpty()) {
            action.accept(kept.remove());
        }
        if (parsed < total) {
            parse(parsed, "the file has changed meanwhile", (letter, length) -> action.accept(letter));
        }
    }

    /** Takes a letter and the length of its line. */
    private interface Parsed {
        void accept(DeadLetter letter, int length);
    }

    /** Parses the lines of the file, without the lines of the first {@code known} letters. */
    private void parse(long known, String effect, Parsed action) throws IOException {
        long number = 0;
        long letters = 0;
        try (BufferedReader lines = lines()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank() && ++letters > known) {
                    action.accept(read(line, number, effect), line.length());
                }
            }
        } catch (EOFException | ZipException e) {
            throw new IllegalArgumentException(name + " must be a whole gzip file, got a damaged one; " + effect, e);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("the file must exist, got '" + name + "'", e);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException(name + ", line " + (number + 1) + " must be UTF-8 text; " + effect, e);
        }
    }

    /** Opens the file; a file packed with gzip, as retired letters are, is unpacked on the way. */
    private BufferedReader lines() throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(Files.newInputStream(file));
        try {
            bytes.mark(2);
            boolean packed = bytes.read() == 0x1f && bytes.read() == 0x8b;
            bytes.reset();
            InputStream unpacked = packed ? new GZIPInputStream(bytes) : bytes;
            return new BufferedReader(new InputStreamReader(unpacked, StandardCharsets.UTF_8.newDecoder()));
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    private DeadLetter read(String line, long number, String effect) {
        try {
            return DeadLetterJson.read(line, number);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ", " + e.getMessage() + "; " + effect, e);
        }
    }
}
