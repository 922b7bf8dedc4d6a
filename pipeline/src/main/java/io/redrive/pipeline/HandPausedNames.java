package io.redrive.pipeline;

import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names that operators paused, as this node knows them from the shared notes. Every node decides by its own clock whether a
 * pause is over. Used by the coordinator alone.
 */
final class HandPausedNames implements Sharing.Topic {

    /**
     * How long a claimed event of a paused name waits: claimed because this node did not know of the pause yet. When due again, the
     * event is kept out of the claim like the rest.
     */
    static final Duration WAIT = Duration.ofSeconds(1);

    /** Notes of pauses that ended are kept for this time, because clocks of nodes differ. */
    private static final Duration KEPT_AFTER_END = Duration.ofHours(1);

    private List<NamePause.ByHand> known = List.of();

    /** Returns how long an event of this name has to wait before the node looks at it again; empty when the name is not paused. */
    Optional<Duration> waitFor(String name, Instant now) {
        for (NamePause.ByHand pause : known) {
            if (pause.pattern().matches(name) && !pause.isOver(now)) {
                return Optional.of(WAIT);
            }
        }
        return Optional.empty();
    }

    /** Returns the patterns that are paused now. */
    Set<NamePattern> patterns(Instant now) {
        return known.isEmpty()
                ? Set.of()
                : known.stream()
                        .filter(pause -> !pause.isOver(now))
                        .map(NamePause.ByHand::pattern)
                        .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String topic() {
        return NamePause.ByHand.TOPIC;
    }

    /** Returns false: operators write pauses, a node only reads them. */
    @Override
    public boolean hasNews() {
        return false;
    }

    @Override
    public void sync(Map<String, Note> found, SharedNotes notes, Instant now) {
        known = found.values().stream().map(NamePause.ByHand::of).toList();
        found.values().stream()
                .filter(note -> NamePause.ByHand.of(note).isOver(now.minus(KEPT_AFTER_END)))
                .forEach(notes::erase);
    }
}
