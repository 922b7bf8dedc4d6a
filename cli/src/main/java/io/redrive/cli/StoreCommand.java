package io.redrive.cli;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A command that works on a store: opens it, closes it, and turns what the store refuses into wrong input. */
abstract class StoreCommand extends ConsoleCommand implements Callable<Integer> {

    static final String EXIT_CODES = "%nExit codes:%n";
    static final String DONE = "0:done";
    static final String FAILED = "1:failed: nothing found under that id, or the store cannot be used";
    static final String WRONG = "2:wrong input; nothing was changed";

    /** Exit code when none of the ids that were named is a letter. */
    static final int NOT_FOUND = 1;

    private static final int MAX_NAMED = 20;

    static final String VARIABLE = "REDRIVE_STORE";

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "The store: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment when not"
                    + " given; better for a URL with a password.")
    private String address;

    StoreCommand(Context context) {
        super(context);
    }

    @Override
    public final Integer call() throws Exception {
        try (EventStore store = open(address())) {
            return run(store);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private String address() {
        String named = address == null ? context.environment().get(VARIABLE) : address;
        if (named == null || named.isBlank()) {
            throw wrong("which store? Give --store FILE, --store JDBC-URL, or set " + VARIABLE + " in the environment");
        }
        return named;
    }

    EventStore open(String at) {
        return context.stores().open(at);
    }

    abstract int run(EventStore store) throws Exception;

    /** What to add to a command that is to work on the same store; nothing where the command finds it without. */
    String onStore() {
        String named = address();
        return named.equals(context.environment().get(VARIABLE))
                ? ""
                : " --store " + shellWord(JdbcStores.shown(named));
    }

    /** As a shell takes it: URLs have characters that shells read as their own. */
    static String shellWord(String word) {
        String safe = Printable.line(word);
        return safe.matches("[\\w@%+=:,./-]+") ? safe : "'" + safe.replace("'", "'\\''") + "'";
    }

    /** The letter with this id, or else the newest letter of the event with this id. */
    DeadLetter letter(DeadLetters letters, String id) {
        Optional<DeadLetter> letter = id.matches("\\d{1,18}") ? letters.find(Long.parseLong(id)) : Optional.empty();
        return letter.or(() -> newestOf(letters, id))
                .orElseThrow(
                        () -> new CommandFailed("no dead letter " + id + ", and none of an event with that id; it may"
                                + " have been redriven or purged, see: redrive dlq actions" + onStore()));
    }

    private Optional<DeadLetter> newestOf(DeadLetters letters, String eventId) {
        List<DeadLetter> found = letters.newest(LetterFilter.ALL.withEventId(eventId), Long.MAX_VALUE, MAX_NAMED);
        if (found.size() > 1) {
            note("event " + Printable.line(eventId) + " has several letters; this is the newest of "
                    + found.stream().map(other -> String.valueOf(other.id())).collect(Collectors.joining(", ")));
        }
        return found.stream().findFirst().flatMap(newest -> letters.find(newest.id()));
    }

    /** Names ids that were asked for and are no letters: a typing mistake, or somebody was faster. */
    void tellMissing(List<Long> ids) {
        if (!ids.isEmpty()) {
            String some = ids.stream().limit(MAX_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
            String more = ids.size() > MAX_NAMED ? " and " + (ids.size() - MAX_NAMED) + " more" : "";
            note(ids.size() == 1 ? "no dead letter has the id " + some : "no dead letters have the ids " + some + more);
        }
    }

    /** Asks a person; a script has to say {@code --yes}. */
    boolean isConfirmed(String what) {
        if (!context.terminal().isInteractive()) {
            throw wrong("this would " + what + "; say --yes");
        }
        String question = Character.toUpperCase(what.charAt(0)) + what.substring(1);
        return context.terminal()
                .ask(question + "? [y/N] ")
                .toLowerCase(Locale.ROOT)
                .matches("y|yes");
    }

    static String letters(long count) {
        return count == 1 ? "1 letter" : count + " letters";
    }
}
