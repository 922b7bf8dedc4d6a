package io.redrive.pipeline;

import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    private Map<String, Note> read = Map.of();
    private Map<String, NamePause.ByHand> names = Map.of();
    private List<NamePause.ByHand> patterns = List.of();
    /** The answer of {@link #patterns} and the time for which it holds: one set, however often the coordinator asks. */
    private Set<NamePattern> paused = Set.of();

    private Instant from = Instant.MIN;
    private Instant until = Instant.MAX;

    /** Returns how long an event of this name has to wait before the node looks at it again; empty when the name is not paused. */
    Optional<Duration> waitFor(String name, Instant now) {
        NamePause.ByHand ofName = names.get(name);
        if (ofName != null && !ofName.isOver(now)) {
            return Optional.of(WAIT);
        }
        for (NamePause.ByHand pause : patterns) {
            if (pause.pattern().matches(name) && !pause.isOver(now)) {
                return Optional.of(WAIT);
            }
        }
        return Optional.empty();
    }

    /** Returns the names and patterns that are paused now: the same object until a pause begins or ends. */
    Set<NamePattern> patterns(Instant now) {
        if (now.isBefore(from) || !now.isBefore(until)) {
            List<NamePause.ByHand> lasting =
                    all().filter(pause -> !pause.isOver(now)).toList();
            paused = lasting.stream().map(NamePause.ByHand::pattern).collect(Collectors.toUnmodifiableSet());
            from = now;
            until = lasting.stream()
                    .flatMap(pause -> pause.until().stream())
                    .min(Comparator.naturalOrder())
                    .orElse(Instant.MAX);
        }
        return paused;
    }

    private Stream<NamePause.ByHand> all() {
        return Stream.concat(names.values().stream(), patterns.stream());
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
        if (!found.equals(read)) {
            read = Map.copyOf(found);
            List<NamePause.ByHand> all =
                    found.values().stream().map(NamePause.ByHand::of).toList();
            names = all.stream()
                    .filter(pause -> pause.pattern().isExact())
                    .collect(Collectors.toMap(pause -> pause.pattern().text(), Function.identity()));
            patterns = all.stream().filter(pause -> !pause.pattern().isExact()).toList();
            until = Instant.MIN;
        }
        all().filter(pause -> pause.isOver(now.minus(KEPT_AFTER_END)))
                .map(pause -> Objects.requireNonNull(found.get(pause.pattern().text())))
                .forEach(notes::erase);
    }
}
