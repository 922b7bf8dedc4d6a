package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A node that works on a store, as it tells of itself every five seconds. For people to look at: who takes over what is
 * decided by leases alone.
 *
 * @param node its name
 * @param service the service it belongs to
 * @param started when its pipeline began, by its own clock
 * @param seen when it last told, by its own clock
 */
public record Member(String node, String service, Instant started, Instant seen) {

    /** The topic of its notes. */
    static final String TOPIC = "node";

    /** How often a node tells. */
    static final Duration BEAT = Duration.ofSeconds(5);

    /** After so many missed beats a node is gone, or its clock is wrong. */
    private static final int MISSED_BEATS = 3;

    /** Those who told, by name; one that was stopped is not among them, one that crashed is, for an hour. */
    public static List<Member> of(SharedNotes notes) {
        return notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC))
                .map(Member::of)
                .toList();
    }

    /** False when it has not told for 15 seconds. */
    public boolean isAlive(Instant now) {
        return seen.plus(BEAT.multipliedBy(MISSED_BEATS)).isAfter(now);
    }

    static Member of(Note note) {
        String[] lines = note.value().split("\n", 3);
        return new Member(note.name(), lines[2], Instant.parse(lines[0]), Instant.parse(lines[1]));
    }

    /** What its note says. */
    String text() {
        return started + "\n" + seen + "\n" + service;
    }

    Member seenAt(Instant now) {
        return new Member(node, service, started, now);
    }
}
