package io.redrive.events;

/**
 * How often an event was tried, counted apart: an interrupted attempt (deploy, shutdown) is nobody's fault, and one that
 * died with its process says something else than one that threw.
 */
public record Attempts(int failed, int interrupted, int crashed) {

    /** Never tried. */
    public static final Attempts NONE = new Attempts(0, 0, 0);

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
