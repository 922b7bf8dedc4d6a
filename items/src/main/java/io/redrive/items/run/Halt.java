package io.redrive.items.run;

import io.redrive.items.SourceException;
import io.redrive.items.StageNeverSucceeded;
import io.redrive.items.store.RunStatus;

/** Why a process leaves a run before its end. */
sealed interface Halt {

    /** Returns the new status of the run. */
    RunStatus status();

    /** A person asked for it; the caller is told of no failure. */
    record Asked(RunStatus status) implements Halt {}

    /** A failure, of which the caller is told. */
    record Forced(RunStatus status, RuntimeException failure) implements Halt {}

    static Halt stopped() {
        return new Asked(RunStatus.STOPPED);
    }

    static Halt cancelled() {
        return new Asked(RunStatus.CANCELLED);
    }

    static Halt because(RunStatus status, RuntimeException failure) {
        return new Forced(status, failure);
    }

    /** The source has more samples, and no process of the run reads it. */
    static Halt withoutReader(String run) {
        String why = "run '" + run
                + "' has a source that is not read to its end, and no process that reads it; resume it with"
                + " the source";
        return because(RunStatus.STOPPED, new SourceException(why, null));
    }

    /** True when {@code other} takes the place of this halt: a process that stops may still cancel the run for all. */
    default boolean givesWayTo(Halt other) {
        return isStop() && other instanceof Asked && other.status() == RunStatus.CANCELLED;
    }

    /** True when a run without unfinished samples gets the status of its end instead. */
    default boolean givesWayToEnd() {
        return isStop() || (this instanceof Forced forced && forced.failure() instanceof StageNeverSucceeded);
    }

    private boolean isStop() {
        return this instanceof Asked && status() == RunStatus.STOPPED;
    }
}
