package io.redrive.items.store;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a run stands; spelled the same in Java, SQL, JSON and on the command line (see {@link #code()}). */
public enum RunStatus {
    /** Under way. */
    RUNNING,
    /** Its processes died: it was under way, and the leases of all its processes have run out. Can be resumed. */
    INTERRUPTED,
    /** Stopped on request before the end; can be resumed. */
    STOPPED,
    /** Called off; can be resumed all the same. */
    CANCELLED,
    /** Too many samples died; can be resumed. */
    BUDGET_EXCEEDED,
    /** Every sample is accounted for, and at least 95 % of the samples that were not skipped succeeded. */
    COMPLETED,
    /** Every sample is accounted for, and at least 50 % of the samples that were not skipped succeeded. */
    PARTIAL_SUCCESS,
    /** Every sample is accounted for, and fewer of the samples that were not skipped succeeded. */
    FAILED;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** The spelling used outside Java, such as {@code partial_success}. */
    public String code() {
        return code;
    }

    /** True when every sample has its end. */
    public boolean isFinal() {
        return this == COMPLETED || this == PARTIAL_SUCCESS || this == FAILED;
    }

    /** The status with this {@link #code()}. */
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
