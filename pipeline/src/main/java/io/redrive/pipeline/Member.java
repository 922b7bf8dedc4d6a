package io.redrive.pipeline;

import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import io.redrive.events.cause.ServiceVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A node that works on a store, as the node announces itself every five seconds. Leases alone decide which events other
 * nodes take over; the announcements decide whether a takeover counts as a crash.
 *
 * @param node the name of the node
 * @param service the service of the node
 * @param version the version of the service; empty when unknown
 * @param started when the node's pipeline was built, by the node's clock
 * @param seen when the node announced itself last, by the node's clock
 * @param handles the names that the node has handlers for; {@code *} when they are not known
 * @param sizes the sizes that the node chose because of its load, and why; empty for a node of an earlier version
 */
public record Member(
        String node,
        String service,
        Optional<ServiceVersion> version,
        Instant started,
        Instant seen,
        Set<NamePattern> handles,
        List<ChosenSize> sizes) {

    /** A node whose sizes are not known. */
    public Member(
            String node,
            String service,
            Optional<ServiceVersion> version,
            Instant started,
            Instant seen,
            Set<NamePattern> handles) {
        this(node, service, version, started, seen, handles, List.of());
    }

    private static final Set<NamePattern> UNKNOWN = Set.of(new NamePattern("*"));
    private static final String HANDLES = "handles";
    private static final int LINES = 5;
    /** A node with a longer list, which does not fit into a note, announces that it handles all names. */
    private static final int MAX_HANDLES = 8_000;

    /** The topic of the announcements among the shared notes. */
    static final String TOPIC = "node";

    /** Time between two announcements. */
    static final Duration BEAT = Duration.ofSeconds(5);

    /** A node is gone after this time without an announcement. */
    static final Duration GONE_AFTER = BEAT.multipliedBy(3);

    /** Longest node name inside a holder name, which a store limits to 200 characters. */
    private static final int NODE_IN_HOLDER = 160;

    /** Returns the nodes by name. A stopped node is missing, a crashed node stays listed for an hour. */
    public static List<Member> of(SharedNotes notes) {
        List<Note> all = notes.read();
        Map<String, List<ChosenSize>> sizes = all.stream()
                .filter(note -> note.topic().equals(SizeNotes.TOPIC))
                .collect(Collectors.toMap(Note::name, note -> ChosenSize.read(note.value())));
        return all.stream()
                .filter(note -> note.topic().equals(TOPIC))
                .map(note -> of(note).with(sizes.getOrDefault(note.name(), List.of())))
                .toList();
    }

    /** Returns false when the node has not announced itself for 15 seconds. */
    public boolean isAlive(Instant now) {
        return seen.plus(GONE_AFTER).isAfter(now);
    }

    /** Reads an announcement. One without a list of names comes from an older version, which claims every name. */
    static Member of(Note note) {
        String[] lines = note.value().split("\n", LINES);
        Set<NamePattern> handles = lines.length < LINES
                ? UNKNOWN
                : Arrays.stream(lines[LINES - 1].split(" "))
                        .skip(1)
                        .map(NamePattern::new)
                        .collect(Collectors.toUnmodifiableSet());
        Optional<ServiceVersion> version = lines.length < LINES ? Optional.empty() : versionIn(lines[LINES - 1]);
        return new Member(note.name(), lines[2], version, Instant.parse(lines[0]), Instant.parse(lines[1]), handles);
    }

    /** Earlier versions of Redrive skip the first word of the line, so the version of the service is part of that word. */
    private static Optional<ServiceVersion> versionIn(String handlesLine) {
        String word = handlesLine.split(" ", 2)[0];
        return word.startsWith(HANDLES + "@")
                ? ServiceVersion.parse(word.substring(HANDLES.length() + 1))
                : Optional.empty();
    }

    /** Returns the holder name of the process that wrote this note; empty in notes of earlier versions. */
    static String holderOf(Note note) {
        String[] lines = note.value().split("\n", LINES);
        return lines.length < 4 ? "" : lines[3];
    }

    /** Returns a holder name for one run of a node: a restarted node holds no lease of the run before. */
    static String newHolder(String node, UUID process) {
        return node.length() > NODE_IN_HOLDER ? process.toString() : node + "@" + process;
    }

    /** Returns the text of the note. */
    String text(String holder) {
        String names = handles.stream().map(pattern -> " " + pattern).sorted().collect(Collectors.joining());
        String told = names.length() > MAX_HANDLES ? " *" : names;
        String head = HANDLES + version.map(known -> "@" + known).orElse("");
        return started + "\n" + seen + "\n" + service + "\n" + holder + "\n" + head + told;
    }

    Member seenAt(Instant now) {
        return new Member(node, service, version, started, now, handles, sizes);
    }

    private Member with(List<ChosenSize> chosen) {
        return new Member(node, service, version, started, seen, handles, chosen);
    }
}
