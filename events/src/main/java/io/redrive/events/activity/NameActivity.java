package io.redrive.events.activity;

/**
 * The activity of one event name.
 *
 * @param name an event name, or {@link #OTHER}
 * @param totals counts and durations of the name
 */
public record NameActivity(String name, ActivityTotals totals) {

    /** The sum of all names beyond {@link ActivityLog#MAX_NAMES}. No event can have this name. */
    public static final String OTHER = "(other)";

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is blank or longer than 200 characters
     */
    public NameActivity {
        Names.require("name", name);
    }
}
