package io.redrive.items;

import java.util.Locale;

/**
 * Thrown by a run that stopped early because the first calls of a stage all failed with the same error type, for example for a
 * wrong key or address. The run can be resumed after the cause is fixed. {@link ItemPipeline.Builder#earlyStop} sets the number
 * of calls.
 */
public final class StageNeverSucceeded extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 200;

    private final String run;
    private final String stage;
    private final String errorType;
    private final long calls;

    /** Called by a run. */
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

    /** Returns the number of failed calls. */
    public long calls() {
        return calls;
    }

    /** Returns the error type of all calls, such as {@code http_401}. */
    public String errorType() {
        return errorType;
    }
}
