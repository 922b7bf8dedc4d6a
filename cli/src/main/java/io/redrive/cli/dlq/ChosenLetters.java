package io.redrive.cli.dlq;

import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterSelection;
import java.time.Instant;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose letters to change. Choosing all letters needs {@code --all}. */
final class ChosenLetters {

    @Mixin
    private NamedLetters named = new NamedLetters();

    @Option(names = "--all", description = "All letters.")
    private boolean all;

    @Option(
            names = "--dry-run",
            description = "Only tell how many letters that would be, and which ids are no letters.")
    private boolean dryRun;

    /**
     * Returns the chosen letters.
     *
     * @throws IllegalArgumentException when no letters are chosen, or the options contradict each other
     */
    LetterSelection selection(String verb, Instant now) {
        LetterFilter filter = named.filter(now);
        boolean unrestricted = filter.equals(LetterFilter.ALL);
        if (unrestricted && !all) {
            throw new IllegalArgumentException(
                    "name the letters to " + verb + ": ids, a filter such as --fingerprint, or --all");
        }
        if (!unrestricted && all) {
            throw new IllegalArgumentException("--all and a filter contradict each other; leave one of them out");
        }
        LetterSelection selection = all ? LetterSelection.all() : LetterSelection.matching(filter);
        return selection.atMost(named.limit());
    }

    boolean isAll() {
        return all;
    }

    boolean dryRun() {
        return dryRun;
    }
}
