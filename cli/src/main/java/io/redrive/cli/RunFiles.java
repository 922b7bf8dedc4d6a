package io.redrive.cli;

import io.redrive.cli.stages.JsonValue;
import io.redrive.items.RunRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * The files of a run. A run remembers them as its origin, so that it can be resumed by its id alone.
 *
 * @param pipeline what is done to each sample
 * @param input where samples come from
 * @param output where results go
 */
record RunFiles(Path pipeline, Path input, Path output) {

    private static final int HASH_BYTES = 4;
    private static final byte[] GZIP = {0x1F, (byte) 0x8B};
    private static final byte[] UTF_16_LITTLE = {(byte) 0xFF, (byte) 0xFE};
    private static final byte[] UTF_16_BIG = {(byte) 0xFE, (byte) 0xFF};
    private static final Path STREAM = Path.of("-");

    /** The same wherever it is called from. */
    RunFiles {
        if (input.equals(STREAM)) {
            throw new IllegalArgumentException(
                    "--input must be a file, got '-'; it is read again when the run is resumed, so it cannot be a pipe");
        }
        if (output.equals(STREAM)) {
            throw new IllegalArgumentException("--output must be a file, got '-'; what a crash left unfinished is taken"
                    + " back from it, so it cannot be a pipe");
        }
        pipeline = pipeline.toAbsolutePath().normalize();
        input = input.toAbsolutePath().normalize();
        output = output.toAbsolutePath().normalize();
    }

    /** The files that the run began with; a run that was not begun by this command has none. */
    static RunFiles of(RunRecord run) {
        try {
            JsonValue origin = JsonValue.parse(run.definition().origin());
            return new RunFiles(path(origin, "/pipeline"), path(origin, "/input"), path(origin, "/output"));
        } catch (IllegalArgumentException | NoSuchElementException e) {
            throw new IllegalArgumentException(
                    "run '" + run.id()
                            + "' must have been begun by redrive run to be resumed by its id, and was not; resume it where"
                            + " it came from",
                    e);
        }
    }

    /** Empty for a run that was not begun by this command. */
    static Optional<RunFiles> ifAny(RunRecord run) {
        try {
            return Optional.of(of(run));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Path path(JsonValue origin, String pointer) {
        return Path.of(origin.at(JsonPointer.compile(pointer)).orElseThrow().text());
    }

    /** For the run to remember. */
    String origin() {
        return new Json.Obj()
                .put("pipeline", pipeline)
                .put("input", input)
                .put("output", output)
                .toString();
    }

    /** The same command gives the same id: the pipeline's name, and which file it writes to. */
    String runId(String pipelineName) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(output.toString().getBytes(StandardCharsets.UTF_8));
            return pipelineName + "-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256, but this one", e);
        }
    }

    /** Refuses files that cannot be used, before anything is changed. */
    void check() throws IOException {
        checkInput();
        Path folder = output.getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    "--output must be in a folder that can be written to, got '" + output + "'");
        }
        if (Files.exists(output)) {
            if (!Files.isRegularFile(output) || !Files.isWritable(output)) {
                throw new IllegalArgumentException(
                        "--output must be a file that can be written to, got '" + output + "'");
            }
            if (Files.isSameFile(input, output)) {
                throw new IllegalArgumentException("--output must be another file than --input, got '" + output + "'");
            }
        }
    }

    private void checkInput() throws IOException {
        if (!Files.exists(input)) {
            throw new IllegalArgumentException("--input must name a file that exists, got '" + input + "'");
        }
        if (!Files.isRegularFile(input)) {
            throw new IllegalArgumentException("--input must name a file, got '" + input
                    + "', which is none; it is read again when the run is resumed, so it cannot be a pipe");
        }
        if (!Files.isReadable(input)) {
            throw new IllegalArgumentException("--input must name a file that can be read, got '" + input + "'");
        }
        try (InputStream in = Files.newInputStream(input)) {
            byte[] start = in.readNBytes(2);
            if (Arrays.equals(start, GZIP)) {
                throw new IllegalArgumentException("--input must be text, one JSON value a line, got '" + input
                        + "', which is packed; unpack it first: gunzip -k " + input.getFileName());
            }
            if (Arrays.equals(start, UTF_16_LITTLE) || Arrays.equals(start, UTF_16_BIG)) {
                throw new IllegalArgumentException("--input must be text in UTF-8, got '" + input
                        + "', which is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 " + input.getFileName());
            }
        }
    }

    List<Path> all() {
        return List.of(pipeline, input, output);
    }

    /** Whether that run wrote to this output. */
    boolean isOutputOf(RunRecord run) {
        return ifAny(run).filter(files -> files.output.equals(output)).isPresent();
    }

    /** Refuses to begin with results of somebody else. */
    void requireFresh() throws IOException {
        if (Files.exists(output) && Files.size(output) > 0) {
            throw new IllegalArgumentException("--output must be empty when a run begins, " + output + " has "
                    + Files.size(output) + " bytes; choose another file, or move it away");
        }
    }
}
