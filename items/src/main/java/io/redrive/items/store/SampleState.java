package io.redrive.items.store;

import java.util.Locale;

/** Where a sample stands. */
public enum SampleState {
    /** To be worked on, now or when it is due; perhaps a process is at it. */
    READY,
    /** Through all stages and written to the sink. */
    SUCCEEDED,
    /** A stage said it goes no further. */
    SKIPPED,
    /** Given up on; it can be reprocessed. */
    DEAD;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** The spelling used outside Java. */
    public String code() {
        return code;
    }

    /** True when it is accounted for. */
    public boolean isFinal() {
        return this != READY;
    }
}
