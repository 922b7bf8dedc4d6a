package io.redrive.items;

import io.redrive.core.Reason;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleState;
import java.time.Duration;
import java.time.Instant;

/**
 * Hears what happens in a run; override what matters. Called on the run's own thread: be quick. What a listener throws is
 * logged and changes nothing.
 */
public interface RunListener {

    /** This process has begun, or resumed, the run. */
    default void onStarted(Started event) {}

    /** An attempt at a stage ended, one way or the other. */
    default void onAttempt(Attempted event) {}

    /** A sample has its end. */
    default void onEnded(Ended event) {}

    /** A server asked for time, and a whole stage waits. */
    default void onSlowed(Slowed event) {}

    /** The store or the sink failed; the run keeps trying. */
    default void onTrouble(Trouble event) {}

    /** This process was thought dead and others may have taken over; it drops what it has and joins again. */
    default void onLeaseLost(LeaseLost event) {}

    /** This process has left the run. */
    default void onFinished(Finished event) {}

    /** A run began, with {@code taken} samples taken before. */
    record Started(String run, String pipeline, long taken, Instant at) {}

    /** An attempt; reason and delay are null unless it failed for good, or will be tried again. */
    record Attempted(
            String run,
            String pipeline,
            String stage,
            long ordinal,
            String id,
            int attempt,
            AttemptStatus status,
            Duration duration,
            Duration delay,
            Reason reason,
            String errorType,
            String message,
            Instant at) {}

    /** A sample ended at the stage with this index: the number of stages when it is through, -1 when it was unreadable. */
    record Ended(String run, String pipeline, long ordinal, String id, SampleState state, int stage, Instant at) {}

    /** Nobody calls {@code stage} for {@code pause}. */
    record Slowed(String run, String pipeline, String stage, Duration pause, Instant at) {}

    /** What was thrown. */
    record Trouble(String run, RuntimeException error, Instant at) {}

    /** The lease of {@code run} was lost. */
    record LeaseLost(String run, Instant at) {}

    /** The run as this process left it. */
    record Finished(RunRecord run, Instant at) {}
}
