package io.redrive.items;

import java.util.Locale;

/**
 * The first calls of a stage all failed in the same way, and none succeeded: a wrong key, a wrong address, a service that is
 * down. The run stopped and can be resumed once the cause is gone. {@link ItemPipeline.Builder#earlyStop} sets how many calls.
 */
public final class StageNeverSucceeded extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 200;

    private final String run;
    private final String stage;
    private final String errorType;
    private final long calls;

    /** Made by a run. */
    public StageNeverSucceeded(String run, String stage, long calls, String errorType, String message) {
        super(String.format(
                Locale.ROOT,
                "run '%s' stopped: the first %d calls of stage '%s' all failed with %s, and none succeeded; the last one said:"
                        + " %s. Fix the cause, then resume the run; its early stop may be set higher or switched off",
                run,
                calls,
                stage,
                errorType,
                message.length() > MAX_SHOWN ? message.substring(0, MAX_SHOWN) + "…" : message));
        this.run = run;
        this.stage = stage;
        this.calls = calls;
        this.errorType = errorType;
    }

    /** Returns the id of the run that stopped. */
    public String run() {
        return run;
    }

    /** Returns the name of the stage whose calls failed. */
    public String stage() {
        return stage;
    }

    /** Returns how many calls had failed. */
    public long calls() {
        return calls;
    }

    /** Returns the error type that all calls had in common, such as {@code http_401}. */
    public String errorType() {
        return errorType;
    }
}
