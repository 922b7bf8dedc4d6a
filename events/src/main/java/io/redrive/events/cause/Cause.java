package io.redrive.events.cause;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Dead letters with the same fingerprint, and what operators said about them.
 *
 * @param fingerprint the fingerprint of the letters
 * @param errorType the short type of the first failure
 * @param example the message of the first failure
 * @param firstSeen when the first letter of the cause died
 * @param sightings the letters by day, name and version, of the last {@link #DAYS} days, the oldest first
 * @param care what operators said
 * @param mergedInto the fingerprint of the cause that takes the letters of this cause; empty for a cause of its own
 */
public record Cause(
        String fingerprint,
        String errorType,
        String example,
        Instant firstSeen,
        List<Sighting> sightings,
        Care care,
        Optional<String> mergedInto) {

    /** How many days a store remembers sightings. */
    public static final int DAYS = 90;

    /** Copies the sightings. */
    public Cause {
        sightings = List.copyOf(sightings);
    }

    /** Returns the state of the cause now. */
    public CauseStatus status(Instant now) {
        Stance stance = care.stance();
        if (stance instanceof Stance.Resolved resolved) {
            return hasComeBackAfter(resolved) ? CauseStatus.REGRESSED : CauseStatus.RESOLVED;
        }
        if (stance instanceof Stance.Ignored ignored && !isOver(ignored, now)) {
            return CauseStatus.IGNORED;
        }
        return care.owner().isEmpty() ? CauseStatus.OPEN : CauseStatus.ASSIGNED;
    }

    private boolean hasComeBackAfter(Stance.Resolved resolved) {
        return sightings.stream()
                .filter(sighting -> sighting.last().isAfter(resolved.at()))
                .anyMatch(sighting -> resolved.fixedIn().isEmpty()
                        || sighting.version()
                                .filter(version ->
                                        version.isAtLeast(resolved.fixedIn().get()))
                                .isPresent());
    }

    private boolean isOver(Stance.Ignored ignored, Instant now) {
        boolean late = ignored.until().filter(end -> !now.isBefore(end)).isPresent();
        boolean many = ignored.letters().isPresent()
                && seen() - ignored.seenBefore() >= ignored.letters().getAsLong();
        return late || many;
    }

    /** Returns the number of letters that died of the cause within the last {@link #DAYS} days. */
    public long seen() {
        return sightings.stream().mapToLong(Sighting::letters).sum();
    }

    /** Returns when the last letter of the cause died. */
    public Instant lastSeen() {
        return sightings.stream()
                .map(Sighting::last)
                .max(Comparator.naturalOrder())
                .orElse(firstSeen);
    }

    /** Returns the number of letters of each day with letters. */
    public SortedMap<LocalDate, Long> perDay() {
        SortedMap<LocalDate, Long> days = new TreeMap<>();
        sightings.forEach(sighting -> days.merge(sighting.day(), sighting.letters(), Long::sum));
        return days;
    }

    /** Returns the event names of the letters. */
    public SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        sightings.forEach(sighting -> names.add(sighting.name()));
        return names;
    }
}
