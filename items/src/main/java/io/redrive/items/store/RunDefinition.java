package io.redrive.items.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a run. A run can be resumed only with the same id, pipeline and stages.
 *
 * @param id the id of the run
 * @param pipeline the name of the pipeline
 * @param stages the names of the stages, in order
 * @param origin how the run was started, such as a command line, shown to people who want to resume the run; may differ when
 *     the run is resumed
 */
public record RunDefinition(String id, String pipeline, List<String> stages, String origin) {

    /** The maximum number of characters in an origin. */
    public static final int MAX_ORIGIN = 10_000;

    /** Refuses bad names and an origin that is too long. */
    public RunDefinition {
        requireName("run id", id);
        requireName("pipeline name", pipeline);
        stages = List.copyOf(stages);
        if (origin.length() > MAX_ORIGIN) {
            throw new IllegalArgumentException("origin of run '" + id + "' must have at most " + MAX_ORIGIN
                    + " characters, got " + origin.length());
        }
    }

    /** Creates a definition without an origin. */
    public RunDefinition(String id, String pipeline, List<String> stages) {
        this(id, pipeline, stages, "");
    }

    /**
     * Returns {@code value} when valid as the name of a pipeline or a stage, or as the id of a run. The rules keep names usable in
     * commands, file names and metrics.
     *
     * @param what the subject of the error message, such as {@code run id}
     * @throws IllegalArgumentException when {@code value} is null, longer than 100 characters or has characters besides letters,
     *     digits, dots, dashes and underscores
     */
    public static String requireName(String what, @Nullable String value) {
        return Texts.requireName(what, value);
    }

    /** Returns the name of the stage at this index; {@code source} for -1. */
    public String stageAt(int index) {
        return index < 0 ? StageAttempt.SOURCE : stages.get(index);
    }

    /**
     * Checks that {@code other} has the same id, pipeline and stages.
     *
     * @throws IllegalArgumentException when the definitions differ
     */
    public void requireSame(RunDefinition other) {
        if (!id.equals(other.id) || !pipeline.equals(other.pipeline) || !stages.equals(other.stages)) {
            throw new IllegalArgumentException("run '" + id + "' must be resumed with the pipeline it began with, '"
                    + pipeline + "' with stages " + stages + "; got '" + other.pipeline + "' with stages "
                    + other.stages + ". Start a new run under another id");
        }
    }
}
