package io.redrive.items;

/** Why a process leaves a run before its end, what status that gives the run, and what the caller is told. */
record Halt(RunStatus status, RuntimeException failure) {

    static Halt stopped() {
        return new Halt(RunStatus.STOPPED, null);
    }

    static Halt cancelled() {
        return new Halt(RunStatus.CANCELLED, null);
    }

    static Halt because(RunStatus status, RuntimeException failure) {
        return new Halt(status, failure);
    }
}
