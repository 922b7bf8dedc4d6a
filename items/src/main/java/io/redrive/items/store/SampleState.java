package io.redrive.items.store;

import java.util.Locale;

/** The state of a sample. */
public enum SampleState {
    /** Pending: waits for a process or for its due time, or is claimed. */
    READY,
    /** Passed all stages and was written to the sink. */
    SUCCEEDED,
    /** Skipped by a stage; not written to the sink. */
    SKIPPED,
    /** Failed its last allowed attempt, or could not be read. Can be reprocessed if its payload was stored. */
    DEAD;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** Returns the spelling used in SQL, JSON and on the command line. */
    public String code() {
        return code;
    }

    /** Returns true when the sample has an end. */
    public boolean isFinal() {
        return this != READY;
    }
}
