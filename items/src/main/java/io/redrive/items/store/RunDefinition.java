package io.redrive.items.store;

import java.util.List;

/**
 * What makes a run the same run when it is resumed.
 *
 * @param id its id
 * @param pipeline the pipeline's name
 * @param stages the names of its stages in order
 * @param origin where it comes from, for whoever wants to go on with it, such as the command that began it; no part of what
 *     makes it the same
 */
public record RunDefinition(String id, String pipeline, List<String> stages, String origin) {

    /** Characters in an origin at most. */
    public static final int MAX_ORIGIN = 10_000;

    /** Refuses bad names. */
    public RunDefinition {
        requireName("run id", id);
        requireName("pipeline name", pipeline);
        stages = List.copyOf(stages);
        if (origin.length() > MAX_ORIGIN) {
            throw new IllegalArgumentException("origin of run '" + id + "' must have at most " + MAX_ORIGIN
                    + " characters, got " + origin.length());
        }
    }

    /** Without an origin. */
    public RunDefinition(String id, String pipeline, List<String> stages) {
        this(id, pipeline, stages, "");
    }

    /**
     * Returns {@code value} when it is a good name of a pipeline or a stage, or id of a run: such names appear in commands, file
     * names and metrics.
     *
     * @param what what is named, for the message
     * @throws IllegalArgumentException when it is null, too long or has other characters than letters, digits, dots, dashes and
     *     underscores
     */
    public static String requireName(String what, String value) {
        return Texts.requireName(what, value);
    }

    /** The name of the stage at this index; {@code source} for -1. */
    public String stageAt(int index) {
        return index < 0 ? StageAttempt.SOURCE : stages.get(index);
    }

    /** Refuses to go on with this run as if it were that one. */
    public void requireSame(RunDefinition other) {
        if (!id.equals(other.id) || !pipeline.equals(other.pipeline) || !stages.equals(other.stages)) {
            throw new IllegalArgumentException("run '" + id + "' must be resumed with the pipeline it began with, '"
                    + pipeline + "' with stages " + stages + "; got '" + other.pipeline + "' with stages "
                    + other.stages + ". Start a new run under another id");
        }
    }
}
