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

/** The pipeline of a file, and the long-lived processes of the stages. Close the plan after the run. */
public final class PipelinePlan implements AutoCloseable {

    private static final Logger LOG = System.getLogger(PipelinePlan.class.getPackageName());

    private final ItemPipeline<String, String> pipeline;
    private final Input input;
    private final List<String> warnings;
    private final List<AutoCloseable> resources;

    /**
     * How samples are read.
     *
     * @param format the format; empty to guess it from the content
     * @param id the place of the id in a sample; empty to use the place of the sample in the input
     */
    record Input(Optional<InputFormat> format, Optional<JsonPointer> id) {}

    PipelinePlan(
            ItemPipeline<String, String> pipeline, Input input, List<String> warnings, List<AutoCloseable> resources) {
        this.pipeline = pipeline;
        this.input = input;
        this.warnings = List.copyOf(warnings);
        this.resources = List.copyOf(resources);
    }

    /** Returns the pipeline. */
    public ItemPipeline<String, String> pipeline() {
        return pipeline;
    }

    /** Returns warnings about settings that are valid but look like mistakes. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns the samples of a file: JSON lines, a JSON array or CSV, plain or packed with gzip or zstd. */
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
     * Refuses a file without readable samples. Call this before the run changes anything.
     *
     * @throws IllegalArgumentException when the file is refused
     */
    public void check(Path file) throws IOException {
        PackedFile.check(file);
        try (SampleSource.Cursor<String> cursor = source(file).open()) {
            assert cursor != null;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the input must be a file with samples, got '" + file + "': " + e.getMessage(), e);
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "the input must be a file that can be read, got '" + file + "': " + e.getMessage(), e);
        }
    }

    /** Ends the processes of command stages. */
    @Override
    public void close() {
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "processes of a stage could not be closed, which is ignored: " + e, e);
            }
        }
    }
}
