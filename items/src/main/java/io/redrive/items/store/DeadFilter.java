package io.redrive.items.store;

import java.time.Instant;
import java.util.Optional;

/**
 * Selects dead samples; an empty component selects all. Immutable:
 * {@code DeadFilter.ofPipeline("summaries").atStage("llm")}.
 *
 * @param run the id of their run
 * @param pipeline the name of their pipeline
 * @param stage the name of the stage where the samples died
 * @param errorType the type of their last failure
 * @param since the earliest time of death
 * @param until the time before which the samples died
 * @param after the last sample of the previous page of a list, which has the newest death first
 */
public record DeadFilter(
        Optional<String> run,
        Optional<String> pipeline,
        Optional<String> stage,
        Optional<String> errorType,
        Optional<Instant> since,
        Optional<Instant> until,
        Optional<DeadSample> after) {

    /** Selects all dead samples. */
    public static final DeadFilter ALL = new DeadFilter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Selects the dead samples of one run. */
    public static DeadFilter ofRun(String run) {
        return new DeadFilter(
                Optional.of(run), ALL.pipeline, ALL.stage, ALL.errorType, ALL.since, ALL.until, ALL.after);
    }

    /** Selects the dead samples of all runs of a pipeline. */
    public static DeadFilter ofPipeline(String pipeline) {
        return new DeadFilter(
                ALL.run, Optional.of(pipeline), ALL.stage, ALL.errorType, ALL.since, ALL.until, ALL.after);
    }

    /** Returns this filter limited to samples that died at this stage. */
    public DeadFilter atStage(String name) {
        return new DeadFilter(run, pipeline, Optional.of(name), errorType, since, until, after);
    }

    /** Returns this filter limited to samples whose last failure has this type. */
    public DeadFilter withErrorType(String type) {
        return new DeadFilter(run, pipeline, stage, Optional.of(type), since, until, after);
    }

    /** Returns this filter limited to samples that died at this moment or later. */
    public DeadFilter since(Instant moment) {
        return new DeadFilter(run, pipeline, stage, errorType, Optional.of(moment), until, after);
    }

    /** Returns this filter limited to samples that died before this moment. */
    public DeadFilter until(Instant moment) {
        return new DeadFilter(run, pipeline, stage, errorType, since, Optional.of(moment), after);
    }

    /** Returns this filter for the next page of a list whose previous page ended with {@code last}. */
    public DeadFilter after(DeadSample last) {
        return new DeadFilter(run, pipeline, stage, errorType, since, until, Optional.of(last));
    }

    /** Returns true when the filter selects the sample, without regard to {@link #after}. */
    boolean accepts(DeadSample sample) {
        Instant died = sample.death().at();
        return run.map(sample.run()::equals).orElse(true)
                && pipeline.map(sample.pipeline()::equals).orElse(true)
                && stage.map(sample.stage()::equals).orElse(true)
                && errorType.map(sample.death().errorType()::equals).orElse(true)
                && since.map(moment -> !died.isBefore(moment)).orElse(true)
                && until.map(died::isBefore).orElse(true);
    }
}
