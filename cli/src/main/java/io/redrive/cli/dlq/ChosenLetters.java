package io.redrive.cli.dlq;

import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterSelection;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that choose letters to change. Choosing all letters needs {@code --all}. */
final class ChosenLetters {

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            split = ",",
            description = "Letters by id, such as 3 4 17 or 3,4,17.")
    private List<Long> ids = List.of();

    @Mixin
    private LetterOptions options = new LetterOptions();

    @Option(names = "--all", description = "All letters.")
    private boolean all;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, the oldest first.")
    private @Nullable Long limit;

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
        LetterFilter filter = options.filter(ids, now);
        boolean unrestricted = filter.equals(LetterFilter.ALL);
        if (unrestricted && !all) {
            throw new IllegalArgumentException(
                    "name the letters to " + verb + ": ids, a filter such as --fingerprint, or --all");
        }
        if (!unrestricted && all) {
            throw new IllegalArgumentException("--all and a filter contradict each other; leave one of them out");
        }
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        LetterSelection selection = all ? LetterSelection.all() : LetterSelection.matching(filter);
        return limit == null ? selection : selection.atMost(limit);
    }

    boolean isAll() {
        return all;
    }

    boolean dryRun() {
        return dryRun;
    }
}
