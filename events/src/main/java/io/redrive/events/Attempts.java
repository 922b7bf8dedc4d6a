package io.redrive.events;

/**
 * How often an event was tried, counted apart: an interrupted attempt (deploy, shutdown) is nobody's fault, and one that
 * died with its process says something else than one that threw.
 */
public record Attempts(int failed, int interrupted, int crashed) {

    /** Never tried. */
    public static final Attempts NONE = new Attempts(0, 0, 0);

    /** An event that was interrupted so often is handled by itself: it may be what ends its process. */
    public static final int INTERRUPTIONS_IN_BATCHES = 3;

    /** From so many crashes on, an event is a suspect. One crash says little: it counts for all that the process held. */
    public static final int CRASHES_OF_A_SUSPECT = 2;

    /** True when it is likely enough that this event kills its process. */
    public boolean isSuspect() {
        return crashed >= CRASHES_OF_A_SUSPECT;
    }

    /** The number of the attempt under way: only failures use attempts up. */
    public int current() {
        return failed + 1;
    }

    /** One failure more. */
    public Attempts plusFailed() {
        return new Attempts(failed + 1, interrupted, crashed);
    }

    /** One interruption more. */
    public Attempts plusInterrupted() {
        return new Attempts(failed, interrupted + 1, crashed);
    }

    /** One crash more. */
    public Attempts plusCrashed() {
        return new Attempts(failed, interrupted, crashed + 1);
    }
}
