package io.redrive.cli.runs;

import io.redrive.cli.command.JsonObject;
import io.redrive.items.store.RunRecord;
import io.redrive.pipelinefiles.JsonValue;
import io.redrive.pipelinefiles.Selection;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * The files of a run. The run store keeps them as the origin of the run, so that the run can be resumed by its id alone.
 *
 * @param pipeline the pipeline file
 * @param input the file with the samples
 * @param output the file for the results
 * @param selection the samples of the input that the run takes
 */
record RunFiles(Path pipeline, Path input, Path output, Selection selection) {

    private static final int HASH_BYTES = 4;
    private static final Path STREAM = Path.of("-");

    /** Makes the paths absolute: a run can be resumed from any folder. */
    RunFiles {
        if (input.equals(STREAM)) {
            throw new IllegalArgumentException(
                    "--input must be a file, got '-'; it is read again when the run is resumed, so it cannot be a pipe");
        }
        if (output.equals(STREAM)) {
            throw new IllegalArgumentException("--output must be a file, got '-'; a resumed run removes unfinished"
                    + " lines from it, so it cannot be a pipe");
        }
        pipeline = pipeline.toAbsolutePath().normalize();
        input = input.toAbsolutePath().normalize();
        output = output.toAbsolutePath().normalize();
    }

    /**
     * Returns the files that the run began with.
     *
     * @throws IllegalArgumentException when {@code redrive run} did not begin the run
     */
    static RunFiles of(RunRecord run) {
        try {
            JsonValue origin = JsonValue.parse(run.definition().origin());
            Selection selection = new Selection(
                    number(origin, "/limit", 0).longValueExact(),
                    number(origin, "/sample", 1).doubleValue(),
                    number(origin, "/seed", 0).longValueExact());
            return new RunFiles(path(origin, "/pipeline"), path(origin, "/input"), path(origin, "/output"), selection);
        } catch (IllegalArgumentException | ArithmeticException | NoSuchElementException e) {
            throw new IllegalArgumentException(
                    "run '" + run.id()
                            + "' must have been begun by redrive run to be resumed by its id, and was not; resume it where"
                            + " it came from",
                    e);
        }
    }

    /** Returns the files that the run began with; empty when {@code redrive run} did not begin the run. */
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

    private static BigDecimal number(JsonValue origin, String pointer, long otherwise) {
        return origin.at(JsonPointer.compile(pointer))
                .map(value -> new BigDecimal(value.text()))
                .orElse(BigDecimal.valueOf(otherwise));
    }

    /** Returns these files as the run store keeps them. */
    String origin() {
        JsonObject origin =
                new JsonObject().put("pipeline", pipeline).put("input", input).put("output", output);
        if (!selection.equals(Selection.ALL)) {
            origin.put("limit", selection.limit())
                    .put("sample", selection.share())
                    .put("seed", selection.seed());
        }
        return origin.toString();
    }

    /**
     * Refuses to continue a run that began with another selection.
     *
     * @throws IllegalArgumentException when the selections differ
     */
    void requireSelectionOf(RunRecord run) {
        Selection began = ifAny(run).map(RunFiles::selection).orElse(selection);
        if (!began.equals(selection)) {
            throw new IllegalArgumentException(
                    "run '" + run.id() + "' must go on with the samples it began with, " + shown(began) + ", got "
                            + shown(selection) + "; give the same options, or begin anew with --restart");
        }
    }

    private static String shown(Selection selection) {
        String options = SelectionOptions.text(selection);
        return options.isEmpty() ? "all of its input" : options;
    }

    /** Returns an id of the pipeline's name and a hash of the output file, so that the same command means the same run. */
    String runId(String pipelineName) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(output.toString().getBytes(StandardCharsets.UTF_8));
            return pipelineName + "-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, although every Java must have it", e);
        }
    }

    /** Refuses an input that cannot be read and an output that cannot be written, before the run changes anything. */
    void check() throws IOException {
        checkInput();
        checkOutput();
    }

    private void checkOutput() throws IOException {
        if (output.toString().toLowerCase(Locale.ROOT).matches(".*\\.(zst|bz2|xz|zip|parquet|csv)")) {
            throw new IllegalArgumentException(
                    "--output must be JSON lines, packed with gzip when its name ends with .gz, got '" + output + "'");
        }
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

    /** Refuses an input that cannot be read. */
    void checkInput() throws IOException {
        if (!Files.exists(input)) {
            throw new IllegalArgumentException("--input must name a file that exists, got '" + input + "'");
        }
        if (!Files.isRegularFile(input)) {
            throw new IllegalArgumentException("--input must name a file, got '" + input
                    + "', which is a folder or a pipe; a resumed run reads the file again");
        }
        if (!Files.isReadable(input)) {
            throw new IllegalArgumentException("--input must name a file that can be read, got '" + input + "'");
        }
    }

    List<Path> all() {
        return List.of(pipeline, input, output);
    }

    /** Returns true when that run writes to this output. */
    boolean isOutputOf(RunRecord run) {
        return ifAny(run).filter(files -> files.output.equals(output)).isPresent();
    }

    /** Refuses an output with content: a new run must not append to earlier results. */
    void requireFresh() throws IOException {
        if (Files.exists(output) && Files.size(output) > 0) {
            throw new IllegalArgumentException("--output must be empty when a run begins, " + output + " has "
                    + Files.size(output) + " bytes; choose another file, or move this one away");
        }
    }
}
