package io.redrive.events;

/**
 * The right to adopt events of one log: the name of a bookmark and the epoch of its owner.
 *
 * @param name the name of the log, the same for all processes, for example {@code billing/orders/3}
 * @param epoch the number of takeovers when the owner took the bookmark over
 */
public record Bookmark(String name, long epoch) {

    /** The most characters of a name. */
    public static final int MAX_NAME = 500;

    /** Refuses names that no store can keep. */
    public Bookmark {
        requireName(name);
    }

    /**
     * Returns the name of a bookmark if a store can keep it.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static String requireName(String name) {
        if (name.isBlank() || name.length() > MAX_NAME || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the name of a bookmark must be 1 to " + MAX_NAME
                    + " characters without NUL, got " + name.length() + " characters");
        }
        return name;
    }
}
