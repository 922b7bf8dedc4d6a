package io.redrive.items;

import java.util.List;

/**
 * What makes a run the same run when it is resumed.
 *
 * @param id its id
 * @param pipeline the pipeline's name
 * @param stages the names of its stages in order
 */
public record RunDefinition(String id, String pipeline, List<String> stages) {

    /** Refuses bad names. */
    public RunDefinition {
        Texts.requireName("run id", id);
        Texts.requireName("pipeline name", pipeline);
        stages = List.copyOf(stages);
    }

    /** The name of the stage at this index; {@code source} for -1. */
    public String stageAt(int index) {
        return index < 0 ? StageAttempt.SOURCE : stages.get(index);
    }

    /** Refuses to go on with this run as if it were that one. */
    public void requireSame(RunDefinition other) {
        if (!equals(other)) {
            throw new IllegalArgumentException("run '" + id + "' must be resumed with the pipeline it began with, '"
                    + pipeline + "' with stages " + stages + "; got '" + other.pipeline + "' with stages "
                    + other.stages + ". Start a new run under another id");
        }
    }
}
