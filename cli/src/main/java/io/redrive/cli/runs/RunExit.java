package io.redrive.cli.runs;

import io.redrive.items.store.RunStatus;

/** The exit codes of a run. */
final class RunExit {

    static final int BUDGET_EXCEEDED = 5;
    static final int NEVER_SUCCEEDED = 5;

    static final String COMPLETED_TEXT = "0:completed: nearly all samples are through (status in the pipeline file)";
    static final String FAILED_TEXT = "1:the run could not go on: store, input or output cannot be used";
    static final String WRONG_TEXT = "2:wrong input; nothing was changed";
    static final String PARTIAL_TEXT = "3:partial success: too many samples died for completed";
    static final String BAD_TEXT = "4:failed: most samples died";
    static final String BUDGET_TEXT =
            "5:stopped: more samples died than the failure budget allows, or a stage never succeeded";
    static final String STOPPED_TEXT = "130:interrupted or cancelled (143 by SIGTERM); the same command goes on";

    private RunExit() {}

    static int of(RunStatus status) {
        return switch (status) {
            case COMPLETED -> 0;
            case PARTIAL_SUCCESS -> 3;
            case FAILED -> 4;
            case BUDGET_EXCEEDED -> BUDGET_EXCEEDED;
            case RUNNING, INTERRUPTED, STOPPED, CANCELLED -> 130;
        };
    }
}
