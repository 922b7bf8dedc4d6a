package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A node that works on a store, as it tells of itself every five seconds. Leases alone decide which events other nodes take
 * over; whether a process that told of itself is gone decides whether that counts as a crash.
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

    /** A node that has not told for so long is gone. */
    static final Duration GONE_AFTER = BEAT.multipliedBy(3);

    /** A longer name of a node is left out of the name of its process: a store takes no longer ones. */
    private static final int NODE_IN_HOLDER = 160;

    /** Those who told, by name; one that was stopped is not among them, one that crashed is, for an hour. */
    public static List<Member> of(SharedNotes notes) {
        return notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC))
                .map(Member::of)
                .toList();
    }

    /** False when it has not told for 15 seconds. */
    public boolean isAlive(Instant now) {
        return seen.plus(GONE_AFTER).isAfter(now);
    }

    static Member of(Note note) {
        String[] lines = note.value().split("\n", 4);
        return new Member(note.name(), lines[2], Instant.parse(lines[0]), Instant.parse(lines[1]));
    }

    /** The name of the process that wrote this note, as it claims events; empty in notes of earlier versions. */
    static String holderOf(Note note) {
        String[] lines = note.value().split("\n", 4);
        return lines.length < 4 ? "" : lines[3];
    }

    /** A name for a process of a node: one that is started again under the node's name holds none of its leases. */
    static String newHolder(String node, UUID process) {
        return node.length() > NODE_IN_HOLDER ? process.toString() : node + "@" + process;
    }

    /** What its note says. */
    String text(String holder) {
        return started + "\n" + seen + "\n" + service + "\n" + holder;
    }

    Member seenAt(Instant now) {
        return new Member(node, service, started, now);
    }
}
