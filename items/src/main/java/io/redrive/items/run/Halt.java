package io.redrive.items.run;

import io.redrive.items.SourceException;
import io.redrive.items.StageNeverSucceeded;
import io.redrive.items.store.RunStatus;

/** Why a process leaves a run before its end, what status that gives the run, and what the caller is told. */
record Halt(RunStatus status, RuntimeException failure) {

    static Halt stopped() {
        return new Halt(RunStatus.STOPPED, null);
    }

    static Halt cancelled() {
        return new Halt(RunStatus.CANCELLED, null);
    }

    /** True when somebody just wants to leave. */
    boolean isStop() {
        return status == RunStatus.STOPPED && failure == null;
    }

    /** True when {@code other} counts instead: who leaves may still call the run off, for all. */
    boolean givesWayTo(Halt other) {
        return isStop() && other.status == RunStatus.CANCELLED;
    }

    /** True when a run that has nothing left to do ends with its own status instead. */
    boolean givesWayToEnd() {
        return isStop() || failure instanceof StageNeverSucceeded;
    }

    /** The source has more samples, and no process of the run reads it. */
    static Halt withoutReader(String run) {
        String why = "run '" + run
                + "' has a source that is not read to its end, and no process that reads it; resume it with"
                + " the source";
        return because(RunStatus.STOPPED, new SourceException(why, null));
    }

    static Halt because(RunStatus status, RuntimeException failure) {
        return new Halt(status, failure);
    }
}
