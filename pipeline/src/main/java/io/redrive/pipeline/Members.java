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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Announces this node in the shared notes, and knows which processes live: a process lives while its note keeps
 * changing. The times inside notes come from other clocks and are ignored.
 *
 * <p>A verdict about a process needs {@link Member#GONE_AFTER} of watching without a gap. A node that has just started,
 * or that did not reach the store for a while, starts to watch again: after an outage the notes of all nodes are old.
 */
final class Members implements Sharing.Topic {

    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

    private final Member own;
    private final Time time;
    private final String holder;
    private final Map<String, Sighting> sightings = new HashMap<>();
    private Instant nextBeat = Instant.MIN;
    private long lastLook;

    /**
     * The last seen change of a note, by the monotonic clock.
     *
     * @param changed false for a note that has not changed since this node began to watch
     */
    private record Sighting(String holder, Set<NamePattern> handles, long version, long since, boolean changed) {}

    Members(NodeIdentity identity, Time time, Set<NamePattern> handles) {
        this.time = time;
        own = new Member(identity.node(), identity.service(), identity.version(), time.now(), time.now(), handles);
        holder = Member.newHolder(identity.node(), UUID.randomUUID());
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
        living().forEach(sighting -> (sighting.changed() ? alive : unclear).add(sighting.holder()));
        return new LeaseHolders(alive, unclear);
    }

    private Stream<Sighting> living() {
        long now = time.nanos();
        return sightings.values().stream().filter(sighting -> now - sighting.since() <= Member.GONE_AFTER.toNanos());
    }

    private void watch(Collection<Note> notes) {
        long now = time.nanos();
        if (now - lastLook > Member.GONE_AFTER.toNanos()) {
            sightings.clear();
        }
        lastLook = now;
        Map<String, Sighting> before = new HashMap<>(sightings);
        sightings.clear();
        for (Note note : notes) {
            if (note.name().equals(own.node())) {
                // The note of this process, or of an earlier run of the node, which has ended.
                continue;
            }
            Sighting last = before.get(note.name());
            String noted = Member.holderOf(note);
            boolean unchanged = last != null && last.holder().equals(noted) && last.version() == note.version();
            sightings.put(
                    note.name(),
                    unchanged
                            ? last
                            : new Sighting(noted, Member.of(note).handles(), note.version(), now, last != null));
        }
    }

    /** Returns the names that live nodes have handlers for; empty before the first look at the notes. */
    Optional<Set<NamePattern>> handled() {
        if (nextBeat == Instant.MIN) {
            return Optional.empty();
        }
        Set<NamePattern> patterns = new HashSet<>(own.handles());
        living().forEach(sighting -> patterns.addAll(sighting.handles()));
        return Optional.of(patterns);
    }

    /** Returns how many nodes live, with this one. */
    int count() {
        return 1 + (int) living().count();
    }

    /** Returns how many live nodes, with this one, have a handler of this very pattern. */
    int handling(NamePattern pattern) {
        return 1
                + (int) living().filter(sighting -> sighting.handles().contains(pattern))
                        .count();
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
        watch(found.values());
        if (!Chore.isDue(nextBeat, now, Member.BEAT)) {
            return;
        }
        nextBeat = now.plus(Member.BEAT);
        Note last = found.getOrDefault(own.node(), Note.first(Member.TOPIC, own.node(), ""));
        // When another node of the same name writes first, that note announces the name too.
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
