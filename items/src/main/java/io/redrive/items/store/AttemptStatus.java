package io.redrive.items.store;

import java.util.Locale;

/** The result of an attempt at a stage. */
public enum AttemptStatus {
    /** The stage returned a new value. */
    SUCCESS,
    /** The attempt failed, and another attempt follows. */
    RETRYING,
    /** The attempt failed, and the sample is dead. */
    FAILED,
    /** The stage skipped the sample: no later stage sees the sample. */
    SKIPPED;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** Returns the spelling used in SQL, JSON and on the command line. */
    public String code() {
        return code;
    }
}
