package io.redrive.items.store;

import java.util.Locale;

/** How an attempt at a stage ended. */
public enum AttemptStatus {
    /** The sample has a new value. */
    SUCCESS,
    /** It failed and will be tried again. */
    RETRYING,
    /** It failed for good. */
    FAILED,
    /** The stage said the sample goes no further. */
    SKIPPED;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** The spelling used outside Java. */
    public String code() {
        return code;
    }
}
