package io.redrive.cli.dlq;

import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
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
     * Returns the filter for the chosen letters. Letters that die from now on are left out, since the operator has not seen
     * them; a letter named by its id was seen, also when the clock of its node is ahead of this one.
     *
     * @throws IllegalArgumentException when no letters are chosen, or the options contradict each other
     */
    LetterFilter filter(String verb, Instant now) {
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
        if (!options.ids(ids).isEmpty()) {
            return filter;
        }
        Instant end = now.plusNanos(1_000);
        Instant until = filter.until().filter(given -> given.isBefore(end)).orElse(end);
        return filter.withTime(filter.since().orElse(null), until);
    }

    boolean isAll() {
        return all;
    }

    /** Returns the ids on the command line that name no letter. */
    List<Long> missing(DeadLetters letters) {
        TreeSet<Long> missing = new TreeSet<>(options.ids(ids));
        if (!missing.isEmpty()) {
            LetterFilter named = LetterFilter.ofIds(List.copyOf(missing));
            new LetterPages(letters, named, Long.MAX_VALUE).each(letter -> missing.remove(letter.id()));
        }
        return List.copyOf(missing);
    }

    long limit() {
        return limit == null ? Long.MAX_VALUE : limit;
    }

    boolean dryRun() {
        return dryRun;
    }
}
