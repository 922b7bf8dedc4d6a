package io.redrive.items.store;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The status of a run. SQL, JSON and the command line use the spelling of {@link #code()}. */
public enum RunStatus {
    /** At least one process works on the run, or died without leaving the run. */
    RUNNING,
    /** All processes died: the run was running, and all leases have expired. Can be resumed. */
    INTERRUPTED,
    /** Stopped on request before all samples ended. Can be resumed. */
    STOPPED,
    /** Cancelled by an operator. Can be resumed. */
    CANCELLED,
    /** Stopped because the share of dead samples exceeded the failure budget. Can be resumed. */
    BUDGET_EXCEEDED,
    /** Every sample has an end, and at least 95 % of the samples that were not skipped succeeded (default threshold). */
    COMPLETED,
    /** Every sample has an end, and at least 50 % of the samples that were not skipped succeeded (default threshold). */
    PARTIAL_SUCCESS,
    /** Every sample has an end, and fewer samples succeeded. */
    FAILED;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** Returns the spelling used in SQL, JSON and on the command line, such as {@code partial_success}. */
    public String code() {
        return code;
    }

    /** Returns true when every sample of the run has an end. */
    public boolean isFinal() {
        return this == COMPLETED || this == PARTIAL_SUCCESS || this == FAILED;
    }

    /**
     * Returns the status with this {@link #code()}.
     *
     * @throws IllegalArgumentException when no status has this code
     */
    public static RunStatus of(String code) {
        for (RunStatus status : values()) {
            if (status.code.equals(code)) {
                return status;
            }
        }
        throw new IllegalArgumentException("run status must be one of "
                + Arrays.stream(values()).map(RunStatus::code).collect(Collectors.joining(", ")) + "; got '" + code
                + "'");
    }

    @Override
    public String toString() {
        return code;
    }
}
