package io.redrive.items;

import io.redrive.core.Failure;
import java.util.Objects;

/**
 * The outcome of an attempt: a new value, a skip, or a failure. The policy of the stage decides whether a failure is retried,
 * not the stage.
 *
 * @param <O> type of the new values
 */
public sealed interface StageOutcome<O> {

    /** The sample goes on with this value. */
    record Value<O>(O value) implements StageOutcome<O> {
        /** Refuses null. */
        public Value {
            Objects.requireNonNull(value, "a stage must not return null; skip the sample, or throw");
        }
    }

    /**
     * The sample ends here, and that is no failure.
     *
     * @param why kept in the audit trail
     */
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

    /** The sample ends here as skipped; {@code why} is kept in the audit trail. */
    static <O> StageOutcome<O> skip(String why) {
        return new Skip<>(why);
    }

    /** The attempt failed: {@code StageOutcome.failed(Failure.status(429))}. */
    static <O> StageOutcome<O> failed(Failure failure) {
        return new Failed<>(failure);
    }
}
