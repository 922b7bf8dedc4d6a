package io.redrive.pipeline;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveRequest;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;

/**
 * Redrives letters as {@link AutomaticRedrive} says. Looks every minute for letters that have lain long enough and
 * keeps no list of letters: a restart forgets none, and several processes together redrive no letter sooner than one
 * process would.
 */
final class AutomaticRedriver implements Chore {

    /** The operator in the record of actions. */
    static final String OPERATOR = "automatic";

    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    private static final String TOPIC = "automatic-redrive";

    private final DeadLetters letters;
    private final SharedNotes notes;
    private final AutomaticRedrive settings;
    private Instant nextLook = Instant.MIN;

    AutomaticRedriver(EventStore store, AutomaticRedrive settings) {
        letters = store.deadLetters();
        notes = store.notes();
        this.settings = settings;
    }

    @Override
    public boolean work(Instant now) {
        if (settings.reasons().isEmpty() || !Chore.isDue(nextLook, now, LOOK_EVERY)) {
            return false;
        }
        nextLook = now.plus(LOOK_EVERY);
        return isOurTurn(now) && redrive(now);
    }

    /** Lets one node per minute redrive, so that the limit holds for all nodes together. */
    private boolean isOurTurn(Instant now) {
        Note last = notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC))
                .findFirst()
                .orElse(Note.first(TOPIC, "last", Instant.MIN.toString()));
        Instant next =
                last.version() == 0 ? Instant.MIN : Instant.parse(last.value()).plus(LOOK_EVERY);
        return Chore.isDue(next, now, LOOK_EVERY) && notes.write(last.with(now.toString()));
    }

    private boolean redrive(Instant now) {
        LetterFilter ripe = LetterFilter.ALL
                .withTime(null, now.minus(settings.after()))
                .withFewerAutomaticRedrivesThan(settings.timesPerLetter());
        OperatorCommand command = new OperatorCommand(OPERATOR + "-" + now, OPERATOR, "pipeline", ripe.describe());
        int left = settings.lettersPerMinute();
        // In the order of the enum, not of the set: the same letters give the same run.
        for (Reason reason : Reason.values()) {
            if (left > 0 && settings.reasons().contains(reason)) {
                left -= letters.redrive(new RedriveRequest(ripe.withReason(reason), left, command, true, now));
            }
        }
        return left < settings.lettersPerMinute();
    }
}
