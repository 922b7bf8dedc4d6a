package io.redrive.items.run;

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

    static Halt because(RunStatus status, RuntimeException failure) {
        return new Halt(status, failure);
    }
}
