package io.redrive.events;

import java.time.Duration;

/**
 * Events of one name that claimers set aside ({@link ClaimFilter}) and that no claim has taken since.
 *
 * @param name the name of the events
 * @param waited how long the oldest of these events has been due
 */
public record SetAside(String name, Duration waited) {

    /** The most names to ask a store for at once. */
    public static final int MAX_NAMES = 1_000;
}
