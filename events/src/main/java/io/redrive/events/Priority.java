package io.redrive.events;

import java.util.Locale;

/** How urgent an event is; {@code high} and {@code critical} have their own lane. */
public enum Priority {
    /** Waits while more urgent events pass, but not for ever. */
    LOW,
    /** The default. */
    NORMAL,
    /** Handled in the critical lane. */
    HIGH,
    /** Handled in the critical lane, before {@link #HIGH}. */
    CRITICAL;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** Returns the spelling outside Java: {@code low}, {@code normal}, {@code high}, {@code critical}. */
    public String code() {
        return code;
    }

    /** Returns the lane of events with this priority. */
    public Lane lane() {
        return this == HIGH || this == CRITICAL ? Lane.CRITICAL : Lane.DOMAIN;
    }

    /**
     * Returns the priority with this {@link #code()}.
     *
     * @throws IllegalArgumentException if no priority has this code
     */
    public static Priority of(String code) {
        for (Priority priority : values()) {
            if (priority.code.equals(code)) {
                return priority;
            }
        }
        throw new IllegalArgumentException("priority must be one of low, normal, high, critical; got '" + code + "'");
    }

    @Override
    public String toString() {
        return code;
    }
}
