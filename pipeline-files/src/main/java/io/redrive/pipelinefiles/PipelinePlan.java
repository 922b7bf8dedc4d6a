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

/** A pipeline that was read from a file, and what it holds open while it runs. Close it when its run is over. */
public final class PipelinePlan implements AutoCloseable {

    private static final Logger LOG = System.getLogger(PipelinePlan.class.getPackageName());

    private final ItemPipeline<String, String> pipeline;
    private final Input input;
    private final List<String> warnings;
    private final List<AutoCloseable> resources;

    /** How samples are read: their format where the content is not to decide, and where their id is. */
    record Input(Optional<InputFormat> format, Optional<JsonPointer> id) {}

    PipelinePlan(
            ItemPipeline<String, String> pipeline, Input input, List<String> warnings, List<AutoCloseable> resources) {
        this.pipeline = pipeline;
        this.input = input;
        this.warnings = List.copyOf(warnings);
        this.resources = List.copyOf(resources);
    }

    /** What is done to each sample. */
    public ItemPipeline<String, String> pipeline() {
        return pipeline;
    }

    /** What looks like a mistake and is none. */
    public List<String> warnings() {
        return warnings;
    }

    /** The samples of a file: JSON lines, a JSON array or CSV, as it is or packed with gzip or zstd. */
    public SampleSource<String> source(Path file) throws IOException {
        try {
            return SampleFile.of(file, pipeline.maxPayload(), input.format(), input.id());
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** Refuses a file that no sample can be read from, before anything is changed. */
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

    /** Ends the processes of command stages. */
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
