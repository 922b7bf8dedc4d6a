package io.redrive.pipeline;

import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Pauses names by hand, on all nodes of a store, and resumes them. A pause is a shared note: nodes read it within about a second,
 * and a node that starts reads it before its first claim. Needs no pipeline in the calling process, and outlives that process.
 * Events whose handler has begun end as usual. Thread-safe.
 *
 * <pre>{@code
 * HandPauses pauses = new HandPauses(store.notes());
 * pauses.pause(new NamePause.ByHand(new NamePattern("order.*"), "ann", "bank is down", now, Optional.empty()));
 * pauses.resume(new NamePattern("order.*"), now);
 * }</pre>
 */
public final class HandPauses {

    /** The most patterns such as {@code order.*} that are paused by hand at a time: each is compared with each claimed event. */
    public static final int MAX_PATTERNS = 100;

    /** The most names that are paused by hand at a time. Each disabled route of a server is one of them. */
    public static final int MAX_NAMES = 20_000;

    private static final int WRITES_AT_MOST = 10;

    private final SharedNotes notes;

    /** Creates pauses on the notes of a store. */
    public HandPauses(SharedNotes notes) {
        this.notes = Objects.requireNonNull(notes, "notes");
    }

    /**
     * Pauses the names of the pattern. A pause of the same pattern is replaced.
     *
     * @return the replaced pause; empty when the pattern was not paused by hand
     * @throws IllegalArgumentException if {@link #MAX_NAMES} other names, or {@link #MAX_PATTERNS} other patterns, are paused
     */
    public Optional<NamePause.ByHand> pause(NamePause.ByHand pause) {
        for (int tries = 0; tries < WRITES_AT_MOST; tries++) {
            List<Note> written = written();
            Optional<Note> last = find(written, pause.pattern());
            if (last.isEmpty()) {
                requireRoom(written, pause);
            }
            Note note = last.map(each -> each.with(pause.text()))
                    .orElseGet(() ->
                            Note.first(NamePause.ByHand.TOPIC, pause.pattern().text(), pause.text()));
            if (notes.write(note)) {
                return last.map(NamePause.ByHand::of).filter(before -> !before.isOver(pause.since()));
            }
        }
        throw tooManyWriters(pause.pattern());
    }

    /**
     * Ends the pause of this very pattern. A pattern that includes the pattern, or is included, stays paused.
     *
     * @return the ended pause; empty when the pattern is not paused by hand
     */
    public Optional<NamePause.ByHand> resume(NamePattern pattern, Instant now) {
        for (int tries = 0; tries < WRITES_AT_MOST; tries++) {
            Optional<Note> note = find(written(), pattern);
            if (note.isEmpty()) {
                return Optional.empty();
            }
            if (notes.erase(note.get())) {
                return note.map(NamePause.ByHand::of).filter(pause -> !pause.isOver(now));
            }
        }
        throw tooManyWriters(pattern);
    }

    /** Refuses one pause too many; first removes the notes of pauses that are over. */
    private void requireRoom(List<Note> written, NamePause.ByHand pause) {
        boolean exact = pause.pattern().isExact();
        long alike = 0;
        for (Note note : written) {
            NamePause.ByHand other = NamePause.ByHand.of(note);
            if (other.isOver(pause.since())) {
                notes.erase(note);
            } else if (other.pattern().isExact() == exact) {
                alike++;
            }
        }
        if (alike >= (exact ? MAX_NAMES : MAX_PATTERNS)) {
            throw new IllegalArgumentException("at most " + (exact ? MAX_NAMES + " names" : MAX_PATTERNS + " patterns")
                    + " can be paused by hand, and '" + pause.pattern() + "' would be one more; resume one, or pause a"
                    + (exact ? " pattern such as order.*" : " wider pattern"));
        }
    }

    private List<Note> written() {
        return notes.read().stream()
                .filter(note -> note.topic().equals(NamePause.ByHand.TOPIC))
                .toList();
    }

    private static Optional<Note> find(List<Note> written, NamePattern pattern) {
        return written.stream()
                .filter(note -> note.name().equals(pattern.text()))
                .findFirst();
    }

    private static IllegalStateException tooManyWriters(NamePattern pattern) {
        return new IllegalStateException("the pause of '" + pattern + "' was changed by other operators "
                + WRITES_AT_MOST + " times in a row; look at the pauses and try again");
    }
}
