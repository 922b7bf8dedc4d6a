package io.redrive.operations.policy;

/** How a past event ends in a replay, compared with its recorded end. */
public enum ReplayedEnd {
    /** A letter that is given up after the same attempts. */
    GIVEN_UP_ALIKE("given up after the same attempts"),
    /** A letter that is given up after fewer attempts. */
    GIVEN_UP_SOONER("given up sooner"),
    /** A letter that gets a further attempt. Nobody knows how that attempt ends. */
    TRIED_AGAIN("tried at least once more"),
    /** A saved event that is saved again. */
    DONE_ALIKE("done as before"),
    /** A saved event that is given up before the attempt that succeeded. */
    GIVEN_UP_INSTEAD("given up instead of done");

    private final String words;

    ReplayedEnd(String words) {
        this.words = words;
    }

    /** Returns the end in words, for a count before: {@code 12 given up sooner}. */
    public String words() {
        return words;
    }

    /** Returns true when the end is the recorded end. */
    public boolean isAsRecorded() {
        return this == GIVEN_UP_ALIKE || this == DONE_ALIKE;
    }
}
