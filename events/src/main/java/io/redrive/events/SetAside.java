package io.redrive.events;

import java.time.Duration;

/**
 * Events of one name that claimers set aside ({@link ClaimFilter}) and that nobody has claimed since.
 *
 * @param name the name of the events
 * @param waited how long the oldest of them has been due
 */
public record SetAside(String name, Duration waited) {}
