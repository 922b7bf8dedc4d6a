package io.redrive.pipelinefiles;

import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/** The pipeline of a file, and the processes that its stages keep open while they run. Close the plan after the run. */
public final class PipelinePlan implements AutoCloseable {

    private static final Logger LOG = System.getLogger(PipelinePlan.class.getPackageName());

    private final ItemPipeline<String, String> pipeline;
    private final Input input;
    private final List<String> warnings;
    private final List<AutoCloseable> resources;

    /**
     * How samples are read.
     *
     * @param format the format of the input; empty to detect the format by content
     * @param id points to the id in the sample; empty to use the line or element number
     */
    record Input(Optional<InputFormat> format, Optional<JsonPointer> id) {}

    PipelinePlan(
            ItemPipeline<String, String> pipeline, Input input, List<String> warnings, List<AutoCloseable> resources) {
        this.pipeline = pipeline;
        this.input = input;
        this.warnings = List.copyOf(warnings);
        this.resources = List.copyOf(resources);
    }

    /** Returns the pipeline with the stages of the file. */
    public ItemPipeline<String, String> pipeline() {
        return pipeline;
    }

    /** Returns warnings about settings that are allowed but unlikely to be intended. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns the samples of a file with JSON lines, a JSON array or CSV, plain or packed with gzip or zstd. */
    public SampleSource<String> source(Path file) throws IOException {
        try {
            return SampleFile.of(file, pipeline.maxPayload(), input.format(), input.id());
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /**
     * Opens and closes the input, so that a bad file is refused before a run begins.
     *
     * @throws IllegalArgumentException when the file has an unknown format or cannot be read
     */
    public void check(Path file) throws IOException {
        PackedFile.check(file);
        try (SampleSource.Cursor<String> cursor = source(file).open()) {
            assert cursor != null;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--input must be a file with samples, got '" + file + "': " + e.getMessage(), e);
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "--input must be a file that can be read, got '" + file + "': " + e.getMessage(), e);
        }
    }

    /** Ends the processes of command stages. A failure to end a process is logged. */
    @Override
    public void close() {
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "a stage did not close; ignored: " + e, e);
            }
        }
    }
}
