package io.redrive.pipeline;

import io.redrive.core.DurationText;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorCommand;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Retires letters as {@link LetterRetention} says, one sweep in each step while old letters are left, so that the loop is never held for
 * long. A shared note lets one node at a time sweep.
 */
final class LetterRetirer implements Chore {

    /** The operator in the record of actions. */
    static final String OPERATOR = "retention";

    private static final Logger LOG = System.getLogger(LetterRetirer.class.getName());
    private static final Duration LOOK_EVERY = Duration.ofMinutes(10);
    private static final String TOPIC = "letter-retention";

    private final EventStore store;
    private final Supplier<Optional<LetterRetention>> retention;
    private final SharedNotes notes;
    private final String node;
    private Instant nextLook = Instant.MIN;
    /** This node swept last and found letters: the turn is still its own. */
    private boolean goesOn;

    private long sweeps;

    LetterRetirer(EventStore store, Supplier<Optional<LetterRetention>> retention, String node) {
        this.store = store;
        this.retention = retention;
        notes = store.notes();
        this.node = node;
    }

    @Override
    public boolean work(Instant now) {
        if (!Chore.isDue(nextLook, now, LOOK_EVERY)) {
            return false;
        }
        nextLook = now.plus(LOOK_EVERY);
        Optional<LetterRetention> wanted = retention.get();
        if (wanted.isPresent() && isOurTurn(now)) {
            sweep(wanted.get(), now);
        }
        return false;
    }

    @Override
    public Instant next() {
        return goesOn ? nextLook : Instant.MAX;
    }

    /** Takes the turn of ten minutes; the node that has the turn extends it with each sweep. */
    private boolean isOurTurn(Instant now) {
        Note last = notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC))
                .findFirst()
                .orElse(Note.first(TOPIC, "last", Instant.MIN + " "));
        String[] parts = last.value().split(" ", 2);
        boolean ours = goesOn && parts[1].equals(node);
        Instant next =
                last.version() == 0 ? Instant.MIN : Instant.parse(parts[0]).plus(LOOK_EVERY);
        return (ours || Chore.isDue(next, now, LOOK_EVERY)) && notes.write(last.with(now + " " + node));
    }

    private void sweep(LetterRetention wanted, Instant now) {
        goesOn = false;
        OperatorCommand command = new OperatorCommand(OPERATOR + "-" + now + "-" + ++sweeps, OPERATOR, "pipeline", "");
        try {
            LetterArchive.Sweep sweep = new LetterArchive(store.deadLetters(), wanted).sweep(command, now);
            // A sweep that could delete nothing would find the same letters again at once.
            goesOn = sweep.letters() > 0;
            if (goesOn) {
                nextLook = now;
                LOG.log(
                        Level.INFO,
                        () -> sweep.letters() + " dead letters older than " + DurationText.format(wanted.olderThan())
                                + " were exported to " + sweep.file() + " and deleted");
            }
        } catch (IOException e) {
            LOG.log(
                    Level.ERROR,
                    "old dead letters stay in the store: the folder for their export must exist and be writable, got "
                            + wanted.folder() + " (" + e + ")");
        }
    }
}
