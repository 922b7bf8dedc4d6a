package io.redrive.events;

import java.util.Locale;

/** How urgent an event is; {@code high} and {@code critical} travel in a lane of their own. */
public enum Priority {
    /** May wait while others pass, but never for ever. */
    LOW,
    /** The default. */
    NORMAL,
    /** Handled in the critical lane. */
    HIGH,
    /** Handled in the critical lane, before {@link #HIGH}. */
    CRITICAL;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** The spelling outside Java: {@code low}, {@code normal}, {@code high}, {@code critical}. */
    public String code() {
        return code;
    }

    /** The lane events of this priority travel in. */
    public Lane lane() {
        return this == HIGH || this == CRITICAL ? Lane.CRITICAL : Lane.DOMAIN;
    }

    /** The priority with this {@link #code()}. */
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
