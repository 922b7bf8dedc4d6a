package io.redrive.items;

import io.redrive.core.Reason;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.time.Instant;

/**
 * Receives the events of a run in this process. The default of each method is to ignore the event. The thread of the run calls
 * its listeners one after the other, so a slow listener slows the run. Exceptions of listeners are logged and ignored.
 */
public interface RunListener {

    /** This process has begun or resumed the run. */
    default void onStarted(Started event) {}

    /** An attempt at a stage has ended. */
    default void onAttempt(Attempted event) {}

    /** A sample has its end: succeeded, skipped or dead. */
    default void onEnded(Ended event) {}

    /** A server asked for time, and the whole stage waits. */
    default void onSlowed(Slowed event) {}

    /** The adaptive limit of a stage has changed in this process. */
    default void onLimit(Limited event) {}

    /** The store or the sink failed; the run tries again until its patience is over. */
    default void onTrouble(Trouble event) {}

    /** This process lost its lease. The process drops its samples, which other processes may have claimed, and joins again. */
    default void onLeaseLost(LeaseLost event) {}

    /** This process has left the run. */
    default void onFinished(Finished event) {}

    /** A process began to work on the run, of which {@code taken} samples were taken from the source before. */
    record Started(String run, String pipeline, long taken, Instant at) {}

    /**
     * A call of a stage, as one sample of the call sees it.
     *
     * @param run the id of the run
     * @param pipeline the name of the pipeline
     * @param stage the name of the stage
     * @param ordinal the sample's place in the source, from 0
     * @param id the id of the sample
     * @param attempt the attempt at this stage, from 1
     * @param duration how long the call took
     * @param at when the call began
     */
    record StageCall(
            String run,
            String pipeline,
            String stage,
            long ordinal,
            String id,
            int attempt,
            Duration duration,
            Instant at) {}

    /** The end of an attempt, one record for each {@link AttemptStatus}. */
    sealed interface Attempted {

        /** Returns the call of the attempt. */
        StageCall call();

        /** Returns the status of the attempt in the audit trail. */
        AttemptStatus status();

        /** The stage made a new value. */
        record Succeeded(StageCall call) implements Attempted {
            @Override
            public AttemptStatus status() {
                return AttemptStatus.SUCCESS;
            }
        }

        /** The stage skipped the sample. */
        record Skipped(StageCall call, String why) implements Attempted {
            @Override
            public AttemptStatus status() {
                return AttemptStatus.SKIPPED;
            }
        }

        /**
         * The attempt failed, and another follows.
         *
         * @param errorType short type of the failure, such as {@code http_429}
         * @param message the text of the failure
         * @param delay the wait before the next attempt
         */
        record Retrying(StageCall call, String errorType, String message, Duration delay) implements Attempted {
            @Override
            public AttemptStatus status() {
                return AttemptStatus.RETRYING;
            }
        }

        /**
         * The attempt failed, and the sample is dead.
         *
         * @param errorType short type of the failure, such as {@code http_400}
         * @param message the text of the failure
         * @param reason why no other attempt follows
         */
        record Failed(StageCall call, String errorType, String message, Reason reason) implements Attempted {
            @Override
            public AttemptStatus status() {
                return AttemptStatus.FAILED;
            }
        }
    }

    /**
     * The end of a sample.
     *
     * @param run the id of the run
     * @param pipeline the name of the pipeline
     * @param ordinal the sample's place in the source, from 0
     * @param id the id of the sample
     * @param state how the sample ended
     * @param stage the index of its last stage: the number of stages when it succeeded, -1 when the source could not read it
     * @param at when
     */
    record Ended(String run, String pipeline, long ordinal, String id, SampleState state, int stage, Instant at) {}

    /** No process calls {@code stage} for {@code pause}. */
    record Slowed(String run, String pipeline, String stage, Duration pause, Instant at) {}

    /** At most {@code limit} calls of {@code stage} run at once, because of {@code why}. */
    record Limited(String run, String pipeline, String stage, int limit, String why, Instant at) {}

    /** The exception of the store or the sink. */
    record Trouble(String run, RuntimeException error, Instant at) {}

    /** The lease of {@code run} was lost. */
    record LeaseLost(String run, Instant at) {}

    /** The run as this process left it. */
    record Finished(RunRecord run, Instant at) {}
}
