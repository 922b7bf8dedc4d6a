package io.redrive.pipelinefiles;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Opens input files. Unpacks gzip and zstd, which the first bytes of the file tell, not its name. */
final class PackedFile {

    private static final int BUFFER = 64 * 1024;
    private static final int MAGIC = 6;

    private PackedFile() {}

    /** Opens the file and returns the unpacked bytes; consecutive gzip members or zstd frames are one text. */
    static InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        try {
            byte[] start = start(in);
            if (begins(start, 0x1F, 0x8B)) {
                return new BufferedInputStream(new GZIPInputStream(in, BUFFER), BUFFER);
            }
            // Some tools put a frame to be skipped before the first frame of data.
            boolean skippable = start.length >= 4 && (start[0] & 0xF0) == 0x50 && begins(tail(start), 0x2A, 0x4D, 0x18);
            if (begins(start, 0x28, 0xB5, 0x2F, 0xFD) || skippable) {
                return new BufferedInputStream(new ZstdInputStream(in), BUFFER);
            }
            return in;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /**
     * Refuses a file in a format that is not supported; the message names a way to convert it.
     *
     * @throws IllegalArgumentException when the file is refused
     */
    static void check(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            refuse(in.readNBytes(MAGIC), file);
        }
        try (InputStream in = open(file)) {
            refuse(start(in), file);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the input must be a file that can be unpacked, got '" + file + "': " + e.getMessage(), e);
        }
    }

    private static void refuse(byte[] start, Path file) {
        String name = file.getFileName().toString();
        if (Arrays.equals(Arrays.copyOf(start, 4), "PAR1".getBytes(StandardCharsets.US_ASCII))) {
            String quoted = name.replace("'", "''");
            throw wrong(
                    file,
                    "Parquet; convert it first: duckdb -c \"COPY (SELECT * FROM read_parquet('" + quoted + "')) TO '"
                            + quoted.replaceFirst("\\.parquet$", "") + ".jsonl' (FORMAT json)\"");
        }
        if (begins(start, 0xFF, 0xFE) || begins(start, 0xFE, 0xFF)) {
            throw wrong(file, "UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 " + name);
        }
        if (begins(start, 'P', 'K', 3, 4)) {
            throw wrong(file, "a zip archive or a spreadsheet; unpack it, or save it as CSV, first");
        }
        if (begins(start, 'B', 'Z', 'h')) {
            throw wrong(file, "packed with bzip2; unpack it first: bunzip2 -k " + name);
        }
        if (begins(start, 0xFD, '7', 'z', 'X', 'Z')) {
            throw wrong(file, "packed with xz; unpack it first: unxz -k " + name);
        }
    }

    private static IllegalArgumentException wrong(Path file, String what) {
        return new IllegalArgumentException(
                "the input must be JSON lines, a JSON array or CSV in UTF-8, plain or packed with gzip or zstd, got '"
                        + file + "', which is " + what);
    }

    private static byte[] start(InputStream in) throws IOException {
        in.mark(MAGIC);
        byte[] start = in.readNBytes(MAGIC);
        in.reset();
        return start;
    }

    private static byte[] tail(byte[] bytes) {
        return Arrays.copyOfRange(bytes, 1, bytes.length);
    }

    private static boolean begins(byte[] start, int... magic) {
        if (start.length < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if ((start[i] & 0xFF) != magic[i]) {
                return false;
            }
        }
        return true;
    }
}
