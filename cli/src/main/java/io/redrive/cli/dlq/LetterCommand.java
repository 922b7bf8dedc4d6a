package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterOperations;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A command on dead letters. */
abstract class LetterCommand extends OperationsCommand {

    private static final int MAX_NAMED = 20;

    LetterCommand(Context context) {
        super(context);
    }

    /**
     * Finds a letter by its own id, or else the newest letter of the event with this id.
     *
     * @throws CommandFailed when neither exists
     */
    final DeadLetter letter(LetterOperations letters, String id) {
        Optional<DeadLetter> letter = id.matches("\\d{1,18}") ? letters.find(Long.parseLong(id)) : Optional.empty();
        return letter.or(() -> newestOf(letters, id))
                .orElseThrow(
                        () -> new CommandFailed("no dead letter " + id + ", and none of an event with that id; it may"
                                + " have been redriven or purged, see: redrive dlq actions" + onStore()));
    }

    private Optional<DeadLetter> newestOf(LetterOperations letters, String eventId) {
        List<DeadLetter> found = letters.newest(LetterFilter.ALL.withEventId(eventId), Long.MAX_VALUE, MAX_NAMED);
        if (found.size() > 1) {
            note("event " + Printable.line(eventId) + " has several letters; this is the newest of "
                    + found.stream().map(letter -> String.valueOf(letter.id())).collect(Collectors.joining(", ")));
        }
        return found.stream().findFirst().flatMap(newest -> letters.find(newest.id()));
    }

    /** Notes the ids of missing letters: typing mistakes, or letters redriven or purged meanwhile. */
    final void noteMissing(List<Long> ids) {
        if (!ids.isEmpty()) {
            String some = ids.stream().limit(MAX_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
            String more = ids.size() > MAX_NAMED ? " and " + (ids.size() - MAX_NAMED) + " more" : "";
            note(ids.size() == 1 ? "no dead letter has the id " + some : "no dead letters have the ids " + some + more);
        }
    }

    static String letters(long count) {
        return count == 1 ? "1 letter" : count + " letters";
    }
}
