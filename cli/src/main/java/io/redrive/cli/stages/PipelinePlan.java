package io.redrive.cli.stages;

import io.redrive.items.ItemPipeline;
import io.redrive.items.Source;
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
    private final Optional<JsonPointer> id;
    private final List<String> warnings;
    private final List<AutoCloseable> resources;

    PipelinePlan(
            ItemPipeline<String, String> pipeline,
            Optional<JsonPointer> id,
            List<String> warnings,
            List<AutoCloseable> resources) {
        this.pipeline = pipeline;
        this.id = id;
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

    /** The samples of a file with one JSON value to a line. */
    public Source<String> source(Path file) {
        return new SampleSource(file, pipeline.maxPayload(), id);
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
