package io.redrive.events.cause;

import java.util.Locale;

/** The state of a cause now. */
public enum CauseStatus {
    /** Nobody works on the cause. */
    OPEN,
    /** An owner works on the cause. */
    ASSIGNED,
    /** An operator called the cause resolved, and no letter has come from a fixed node since. */
    RESOLVED,
    /** A letter came from a fixed node after an operator called the cause resolved. */
    REGRESSED,
    /** An operator does not want to hear of the cause for now. */
    IGNORED;

    /** Returns the name in texts: {@code open}, {@code assigned}, {@code resolved}, {@code regressed} or {@code ignored}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
