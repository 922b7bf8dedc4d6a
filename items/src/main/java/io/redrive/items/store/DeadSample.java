package io.redrive.items.store;

import io.redrive.items.store.SampleRecord.Death;
import java.util.Objects;

/**
 * A dead sample, with its run and the stage where it died.
 *
 * @param run the id of the run
 * @param pipeline the name of the pipeline
 * @param stage the name of the stage; {@value StageAttempt#SOURCE} when the source could not read the sample
 * @param sample the sample, with its death and, unless the source could not read it, its payload
 */
public record DeadSample(String run, String pipeline, String stage, SampleRecord sample) {

    /** Refuses a sample that is not dead. */
    public DeadSample {
        Objects.requireNonNull(sample.death(), "a dead sample must have a death");
    }

    /** Returns why the sample is dead. */
    public Death death() {
        return Objects.requireNonNull(sample.death());
    }
}
