package io.redrive.items.store;

import java.time.Instant;
import java.util.Optional;

/**
 * Which dead samples. Immutable: {@code DeadFilter.ofPipeline("summaries").atStage("llm")}.
 *
 * @param run of this run
 * @param pipeline of runs of this pipeline
 * @param stage that died at this stage
 * @param errorType whose last failure has this type
 * @param since that died then or later
 * @param until that died before then
 * @param after that come after this one in the list, which has the newest first; to read on after a page
 */
public record DeadFilter(
        Optional<String> run,
        Optional<String> pipeline,
        Optional<String> stage,
        Optional<String> errorType,
        Optional<Instant> since,
        Optional<Instant> until,
        Optional<DeadSample> after) {

    /** All of them. */
    public static final DeadFilter ALL = new DeadFilter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Those of one run. */
    public static DeadFilter ofRun(String run) {
        return new DeadFilter(
                Optional.of(run), ALL.pipeline, ALL.stage, ALL.errorType, ALL.since, ALL.until, ALL.after);
    }

    /** Those of all runs of a pipeline. */
    public static DeadFilter ofPipeline(String pipeline) {
        return new DeadFilter(
                ALL.run, Optional.of(pipeline), ALL.stage, ALL.errorType, ALL.since, ALL.until, ALL.after);
    }

    /** Only those that died at this stage. */
    public DeadFilter atStage(String name) {
        return new DeadFilter(run, pipeline, Optional.of(name), errorType, since, until, after);
    }

    /** Only those whose last failure has this type. */
    public DeadFilter withErrorType(String type) {
        return new DeadFilter(run, pipeline, stage, Optional.of(type), since, until, after);
    }

    /** Only those that died at this moment or later. */
    public DeadFilter since(Instant moment) {
        return new DeadFilter(run, pipeline, stage, errorType, Optional.of(moment), until, after);
    }

    /** Only those that died before this moment. */
    public DeadFilter until(Instant moment) {
        return new DeadFilter(run, pipeline, stage, errorType, since, Optional.of(moment), after);
    }

    /** Only those that come after {@code last} in the list: the next page. */
    public DeadFilter after(DeadSample last) {
        return new DeadFilter(run, pipeline, stage, errorType, since, until, Optional.of(last));
    }

    /** True when a dead sample fits, wherever it stands in the list. */
    boolean accepts(DeadSample sample) {
        Instant died = sample.sample().death().at();
        return run.map(sample.run()::equals).orElse(true)
                && pipeline.map(sample.pipeline()::equals).orElse(true)
                && stage.map(sample.stage()::equals).orElse(true)
                && errorType.map(sample.sample().death().errorType()::equals).orElse(true)
                && since.map(moment -> !died.isBefore(moment)).orElse(true)
                && until.map(died::isBefore).orElse(true);
    }
}
