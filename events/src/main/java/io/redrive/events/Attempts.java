package io.redrive.events;

/**
 * The attempts of an event, counted by how they ended. An interrupted attempt (deploy, shutdown) is no fault of the
 * event, and a crash of the process is counted apart from an exception.
 */
public record Attempts(int failed, int interrupted, int crashed) {

    /** No attempts. */
    public static final Attempts NONE = new Attempts(0, 0, 0);

    /** From this many interruptions on, an event is handled alone: the event may be what ends its process. */
    public static final int INTERRUPTIONS_IN_BATCHES = 3;

    /**
     * From this many crashes on, an event is a suspect. Fewer crashes say little, because all claims of a process
     * count its crash. A further crash counts only when the process held no other claim.
     */
    public static final int CRASHES_OF_A_SUSPECT = 3;

    /** Returns true when this event may kill its process and must be handled with no other event beside it. */
    public boolean isSuspect() {
        return crashed >= CRASHES_OF_A_SUSPECT;
    }

    /** Returns the number of the attempt under way: only failures use attempts up. */
    public int current() {
        return failed + 1;
    }

    /** Returns these attempts with one more failure. */
    public Attempts plusFailed() {
        return new Attempts(failed + 1, interrupted, crashed);
    }

    /** Returns these attempts with one more interruption. */
    public Attempts plusInterrupted() {
        return new Attempts(failed, interrupted + 1, crashed);
    }

    /** Returns these attempts with one more crash. */
    public Attempts plusCrashed() {
        return new Attempts(failed, interrupted, crashed + 1);
    }
}
