package io.redrive.items;

import io.redrive.core.Failure;
import java.util.Objects;

/**
 * What a stage says about a sample: its new value, that it goes no further, or how it failed. Whether a failure is tried
 * again is not the stage's business but its policy's.
 *
 * @param <O> the new values
 */
public sealed interface StageOutcome<O> {

    /** The sample goes on with this value. */
    record Value<O>(O value) implements StageOutcome<O> {
        /** Refuses null. */
        public Value {
            Objects.requireNonNull(value, "a stage must not return null; skip the sample, or throw");
        }
    }

    /** The sample goes no further, and that is no failure. */
    record Skip<O>(String why) implements StageOutcome<O> {}

    /** The attempt failed. */
    record Failed<O>(Failure failure) implements StageOutcome<O> {
        /** Refuses null. */
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /** The sample goes on with this value. */
    static <O> StageOutcome<O> value(O value) {
        return new Value<>(value);
    }

    /** The sample goes no further; {@code why} is kept in the audit trail. */
    static <O> StageOutcome<O> skip(String why) {
        return new Skip<>(why);
    }

    /** The attempt failed: {@code StageOutcome.failed(Failure.status(429))}. */
    static <O> StageOutcome<O> failed(Failure failure) {
        return new Failed<>(failure);
    }
}
