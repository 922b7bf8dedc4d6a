package io.redrive.pipeline;

import io.redrive.events.OperatorCommand;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps two canaries of one cause apart: each would count the failures of the other. A running canary has a note with
 * its causes and refreshes the note; a note that was not refreshed for a minute belongs to a killed canary.
 */
interface CanaryGuard {

    /** Lets every canary run. */
    CanaryGuard NONE = new CanaryGuard() {
        @Override
        public Optional<String> claim(Set<String> causes, Instant now) {
            return Optional.empty();
        }

        @Override
        public void refresh(Instant now) {}

        @Override
        public void release() {}
    };

    /**
     * Takes the causes for this canary. Returns a description of the canary that has one of them already; empty when
     * none has.
     */
    Optional<String> claim(Set<String> causes, Instant now);

    /** Refreshes the note of this canary. */
    void refresh(Instant now);

    /** Removes the note of this canary. */
    void release();

    /** A guard by shared notes, which all processes of the store see. */
    final class InNotes implements CanaryGuard {

        private static final String TOPIC = "canary";
        private static final Duration BEAT = Duration.ofSeconds(5);
        private static final Duration STALE_AFTER = Duration.ofMinutes(1);
        /** A canary of more causes than fit into a note claims all causes. */
        private static final int MOST_CAUSES = 500;

        private static final String ALL_CAUSES = "*";

        private final SharedNotes notes;
        private final OperatorCommand command;
        private String causes = "";
        private Instant nextBeat = Instant.MIN;
        private boolean held;

        InNotes(SharedNotes notes, OperatorCommand command) {
            this.notes = notes;
            this.command = command;
        }

        @Override
        public Optional<String> claim(Set<String> wanted, Instant now) {
            causes = wanted.size() > MOST_CAUSES ? ALL_CAUSES : String.join(" ", wanted);
            // The own note is written before reading: of two canaries that begin at once, at least one sees the other.
            write(now);
            Optional<String> other = notes.read().stream()
                    .filter(note -> note.topic().equals(TOPIC) && !note.name().equals(command.id()))
                    .filter(note -> isOfSameCause(note, now))
                    .map(note -> told(note, now))
                    .findFirst();
            if (other.isPresent()) {
                release();
            }
            return other;
        }

        private boolean isOfSameCause(Note note, Instant now) {
            Running running = Running.of(note);
            if (running.seen().plus(STALE_AFTER).isBefore(now)) {
                notes.erase(note);
                return false;
            }
            Set<String> shared = new HashSet<>(List.of(running.causes().split(" ")));
            boolean all = causes.equals(ALL_CAUSES) || shared.contains(ALL_CAUSES);
            shared.retainAll(Set.of(causes.split(" ")));
            return all || !shared.isEmpty();
        }

        private static String told(Note note, Instant now) {
            Running running = Running.of(note);
            Duration since = Duration.between(running.started(), now);
            return "another canary is at work on the same cause: batch " + note.name() + ", by " + running.operator()
                    + " (" + running.origin() + "), begun " + Math.max(0, since.toSeconds())
                    + " s ago; wait for its end, or stop it";
        }

        @Override
        public void refresh(Instant now) {
            if (held && Chore.isDue(nextBeat, now, BEAT)) {
                write(now);
            }
        }

        private void write(Instant now) {
            Optional<Note> own = own();
            Instant started = own.map(note -> Running.of(note).started()).orElse(now);
            Running running = new Running(started, now, command.operator(), command.origin(), causes);
            notes.write(own.orElse(Note.first(TOPIC, command.id(), "")).with(running.text()));
            nextBeat = now.plus(BEAT);
            held = true;
        }

        @Override
        public void release() {
            own().ifPresent(notes::erase);
            held = false;
        }

        private Optional<Note> own() {
            return notes.read().stream()
                    .filter(note -> note.topic().equals(TOPIC) && note.name().equals(command.id()))
                    .findFirst();
        }

        /** The text of a note, parsed. */
        private record Running(Instant started, Instant seen, String operator, String origin, String causes) {

            static Running of(Note note) {
                String[] lines = note.value().split("\n", 5);
                return new Running(Instant.parse(lines[0]), Instant.parse(lines[1]), lines[2], lines[3], lines[4]);
            }

            String text() {
                return started + "\n" + seen + "\n" + operator + "\n" + origin.replace('\n', ' ') + "\n" + causes;
            }
        }
    }
}
