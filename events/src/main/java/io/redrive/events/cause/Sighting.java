package io.redrive.events.cause;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/**
 * Letters of a cause that died on one day (UTC), of one event name, on nodes with one version of their service. Redriving or
 * purging letters does not change a sighting.
 *
 * @param day the day, in UTC
 * @param name the event name
 * @param version the version of the service; empty when the nodes did not report one
 * @param letters the number of letters
 * @param first when the first of these letters died
 * @param last when the last of these letters died
 */
public record Sighting(
        LocalDate day, String name, Optional<ServiceVersion> version, long letters, Instant first, Instant last) {}
