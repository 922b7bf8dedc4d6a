package io.redrive.pipeline;

import io.redrive.events.EventStore;
import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import io.redrive.events.StoreStats;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A pause of event names, as all nodes of a store know it. Events of a paused name stay in the store, out of the claim: no node
 * looks at them, and no attempt is spent.
 */
public sealed interface NamePause {

    /** Returns the paused names. */
    NamePattern pattern();

    /** Returns when the pause began. */
    Instant since();

    /** Returns when the pause ends; empty for a pause that lasts until an operator resumes the names. */
    Optional<Instant> until();

    /**
     * A pause that an operator made with {@link HandPauses}.
     *
     * @param pattern the paused names
     * @param operator the person or program that paused the names
     * @param reason the reason, for other operators
     * @param since when the pause began
     * @param until when the pause ends; empty for a pause that lasts until an operator resumes the names
     */
    record ByHand(NamePattern pattern, String operator, String reason, Instant since, Optional<Instant> until)
            implements NamePause {

        /** The longest reason. */
        public static final int MAX_REASON = 1_000;

        static final String TOPIC = "hand-pause";
        private static final String NO_END = "-";
        private static final int LINES = 4;

        /**
         * Checks reason and end.
         *
         * @throws IllegalArgumentException if the reason is blank or too long, the operator has no name, or the end is not after
         *     the beginning
         */
        public ByHand {
            if (operator.isBlank() || operator.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("operator must be a name in one line, got '" + operator + "'");
            }
            if (reason.isBlank() || reason.length() > MAX_REASON) {
                throw new IllegalArgumentException("reason must have 1 to " + MAX_REASON + " characters, got "
                        + reason.strip().length());
            }
            boolean unreadable =
                    reason.chars().anyMatch(code -> Character.isISOControl(code) && code != '\n' && code != '\t');
            if (unreadable || !StandardCharsets.UTF_8.newEncoder().canEncode(reason)) {
                throw new IllegalArgumentException("reason must be readable text, without control characters");
            }
            if (until.filter(end -> !end.isAfter(since)).isPresent()) {
                throw new IllegalArgumentException(
                        "until must be after " + since + ", when the pause begins; got " + until.get());
            }
        }

        /** Returns true when the end has passed. */
        public boolean isOver(Instant now) {
            return until.filter(end -> !now.isBefore(end)).isPresent();
        }

        static ByHand of(Note note) {
            String[] lines = note.value().split("\n", LINES);
            Optional<Instant> end = lines[1].equals(NO_END) ? Optional.empty() : Optional.of(Instant.parse(lines[1]));
            return new ByHand(new NamePattern(note.name()), lines[2], lines[3], Instant.parse(lines[0]), end);
        }

        String text() {
            return since + "\n" + until.map(Instant::toString).orElse(NO_END) + "\n" + operator + "\n" + reason;
        }
    }

    /**
     * A pause that the pipeline made, because nearly all events of the name became dead letters. When the pause is over, one event
     * probes: the name goes on, or the next pause begins.
     *
     * @param name the paused name
     * @param since when the first of the pauses in a row began
     * @param probe when an event may probe
     */
    record ByPipeline(String name, Instant since, Instant probe) implements NamePause {

        @Override
        public NamePattern pattern() {
            return new NamePattern(name);
        }

        @Override
        public Optional<Instant> until() {
            return Optional.of(probe);
        }
    }

    /** Returns the pauses in these notes: first the pauses made by hand, then the pauses of the pipeline, each by name. */
    static List<NamePause> of(SharedNotes notes, Instant now) {
        return notes.read().stream()
                .flatMap(note -> of(note).stream())
                .filter(pause -> !(pause instanceof ByHand byHand) || !byHand.isOver(now))
                .sorted(Comparator.<NamePause, Boolean>comparing(pause -> pause instanceof ByPipeline)
                        .thenComparing(pause -> pause.pattern().text()))
                .toList();
    }

    /** Returns the number of events in each state; events of names that are paused now count as paused. */
    static StoreStats stats(EventStore store, Instant now) {
        return store.stats(now, patterns(store.notes(), now));
    }

    private static Set<NamePattern> patterns(SharedNotes notes, Instant now) {
        return of(notes, now).stream().map(NamePause::pattern).collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<NamePause> of(Note note) {
        return switch (note.topic()) {
            case ByHand.TOPIC -> Optional.of(ByHand.of(note));
            case NamePauses.TOPIC -> Optional.of(NamePauses.in(note));
            default -> Optional.empty();
        };
    }
}
