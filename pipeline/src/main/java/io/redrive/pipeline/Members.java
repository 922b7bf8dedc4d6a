package io.redrive.pipeline;

import io.redrive.core.Time;
import io.redrive.events.LeaseHolders;
import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Announces this node in the shared notes, and knows which processes live: a process lives while its note keeps changing. The
 * times inside notes come from other clocks and do not count.
 *
 * <p>A verdict about a process needs {@link Member#GONE_AFTER} of watching without a gap. A node that has just started, or that
 * did not reach the store for a while, watches anew: after an outage the notes of all nodes are old.
 */
final class Members implements Sharing.Topic {

    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

    private final Member own;
    private final Time time;
    private final String holder;
    private final Map<String, Sighting> sightings = new HashMap<>();
    private final Map<String, Heard> heard = new HashMap<>();
    private Instant nextBeat = Instant.MIN;
    private long lastLook;

    /** The last seen change of a note, by the monotonic clock. */
    private record Sighting(String holder, long version, long since, boolean changed) {}

    Members(String node, String service, Time time, Set<NamePattern> handles) {
        this.time = time;
        own = new Member(node, service, time.now(), time.now(), handles);
        holder = Member.newHolder(node, UUID.randomUUID());
        lastLook = time.nanos();
    }

    /** Returns the name under which this run of the node holds leases. */
    String holder() {
        return holder;
    }

    /** Watches the notes and returns the verdicts about the processes that hold leases. */
    LeaseHolders holders(Collection<Note> notes) {
        watch(notes.stream().filter(note -> note.topic().equals(Member.TOPIC)).toList());
        Set<String> alive = new HashSet<>(Set.of(holder));
        Set<String> unclear = new HashSet<>();
        long now = time.nanos();
        for (Sighting sighting : sightings.values()) {
            if (now - sighting.since() <= Member.GONE_AFTER.toNanos()) {
                (sighting.changed() ? alive : unclear).add(sighting.holder());
            }
        }
        return new LeaseHolders(alive, unclear);
    }

    private void watch(List<Note> notes) {
        long now = time.nanos();
        if (now - lastLook > Member.GONE_AFTER.toNanos()) {
            sightings.clear();
        }
        lastLook = now;
        Map<String, Sighting> before = new HashMap<>(sightings);
        sightings.clear();
        for (Note note : notes) {
            if (note.name().equals(own.node())) {
                // This process, or an earlier run of the node, which is gone.
                continue;
            }
            Sighting last = before.get(note.name());
            String noted = Member.holderOf(note);
            boolean known = last != null && last.holder().equals(noted);
            boolean changed = known && last.version() != note.version();
            sightings.put(
                    note.name(), known && !changed ? last : new Sighting(noted, note.version(), now, last != null));
        }
    }

    /** A node as it was last heard of, by this node's clock: the clocks of nodes differ. */
    private record Heard(long version, Instant at, Set<NamePattern> handles) {}

    /** The names that live nodes have handlers for; empty before the first look at the notes. */
    Optional<Set<NamePattern>> handled(Instant now) {
        if (nextBeat == Instant.MIN) {
            return Optional.empty();
        }
        Set<NamePattern> patterns = new HashSet<>(own.handles());
        heard.values().stream()
                .filter(node -> now.isBefore(node.at().plus(Member.GONE_AFTER)))
                .forEach(node -> patterns.addAll(node.handles()));
        return Optional.of(patterns);
    }

    private void hear(Map<String, Note> found, Instant now) {
        heard.keySet().retainAll(found.keySet());
        found.forEach((node, note) -> {
            Heard last = heard.get(node);
            if (last == null || last.version() != note.version()) {
                heard.put(node, new Heard(note.version(), now, Member.of(note).handles()));
            }
        });
    }

    @Override
    public String topic() {
        return Member.TOPIC;
    }

    @Override
    public boolean hasNews() {
        return nextBeat == Instant.MIN;
    }

    @Override
    public void sync(Map<String, Note> found, SharedNotes notes, Instant now) {
        hear(found, now);
        if (!Chore.isDue(nextBeat, now, Member.BEAT)) {
            return;
        }
        nextBeat = now.plus(Member.BEAT);
        Note last = found.getOrDefault(own.node(), Note.first(Member.TOPIC, own.node(), ""));
        // When another node of the same name writes first, the name is announced all the same.
        notes.write(last.with(own.seenAt(now).text(holder)));
        found.values().stream()
                .filter(note -> Member.of(note).seen().plus(FORGOTTEN_AFTER).isBefore(now))
                .filter(note -> !note.name().equals(own.node()))
                .forEach(notes::erase);
    }

    @Override
    public void leave(SharedNotes notes) {
        notes.read().stream()
                .filter(note -> note.topic().equals(Member.TOPIC) && note.name().equals(own.node()))
                .forEach(notes::erase);
    }
}
