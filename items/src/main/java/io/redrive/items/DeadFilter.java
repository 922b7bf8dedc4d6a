package io.redrive.items;

import java.util.Optional;

/**
 * Which dead samples. Immutable: {@code DeadFilter.ofPipeline("summaries").atStage("llm")}.
 *
 * @param run of this run
 * @param pipeline of runs of this pipeline
 * @param stage that died at this stage
 * @param errorType whose last failure has this type
 * @param after {@code ordinal} must be higher than this; to read on after a page, within one run
 */
public record DeadFilter(
        Optional<String> run,
        Optional<String> pipeline,
        Optional<String> stage,
        Optional<String> errorType,
        long after) {

    /** All of them. */
    public static final DeadFilter ALL =
            new DeadFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), -1);

    /** Those of one run. */
    public static DeadFilter ofRun(String run) {
        return new DeadFilter(Optional.of(run), ALL.pipeline, ALL.stage, ALL.errorType, -1);
    }

    /** Those of all runs of a pipeline. */
    public static DeadFilter ofPipeline(String pipeline) {
        return new DeadFilter(ALL.run, Optional.of(pipeline), ALL.stage, ALL.errorType, -1);
    }

    /** Only those that died at this stage. */
    public DeadFilter atStage(String name) {
        return new DeadFilter(run, pipeline, Optional.of(name), errorType, after);
    }

    /** Only those whose last failure has this type. */
    public DeadFilter withErrorType(String type) {
        return new DeadFilter(run, pipeline, stage, Optional.of(type), after);
    }

    /** Only those after this place in the source. */
    public DeadFilter after(long ordinal) {
        return new DeadFilter(run, pipeline, stage, errorType, ordinal);
    }

    /** True when a dead sample fits. */
    public boolean accepts(DeadSample sample) {
        return run.map(sample.run()::equals).orElse(true)
                && pipeline.map(sample.pipeline()::equals).orElse(true)
                && stage.map(sample.stage()::equals).orElse(true)
                && errorType.map(sample.sample().death().errorType()::equals).orElse(true)
                && sample.sample().ordinal() > after;
    }
}
