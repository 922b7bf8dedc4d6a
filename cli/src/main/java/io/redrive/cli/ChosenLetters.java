package io.redrive.cli;

import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Letters to change something about: never all of them by having forgotten an option. */
final class ChosenLetters {

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            split = ",",
            description = "Letters by id, such as 3 4 17 or 3,4,17.")
    private List<Long> ids;

    @Mixin
    private LetterOptions options;

    @Option(names = "--all", description = "All letters.")
    private boolean all;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, the oldest first.")
    private Long limit;

    @Option(
            names = "--dry-run",
            description = "Only tell how many letters that would be, and which ids are no letters.")
    private boolean dryRun;

    /** What is chosen, without letters that die from now on: those nobody has looked at. */
    LetterFilter filter(String verb, Instant now) {
        LetterFilter filter = options.filter(ids, now);
        boolean unrestricted = filter.equals(LetterFilter.ALL);
        if (unrestricted && !all) {
            throw new IllegalArgumentException(
                    "name the letters to " + verb + ": ids, a filter such as --fingerprint, or --all");
        }
        if (!unrestricted && all) {
            throw new IllegalArgumentException("--all and a filter contradict each other; leave one away");
        }
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        Instant end = now.plusNanos(1_000);
        Instant until = filter.until().filter(given -> given.isBefore(end)).orElse(end);
        return filter.withTime(filter.since().orElse(null), until);
    }

    boolean isAll() {
        return all;
    }

    /** Which of the ids that were named are no letters; empty when letters were not named by id. */
    List<Long> missing(DeadLetters letters) {
        TreeSet<Long> left = new TreeSet<>(options.ids(ids));
        if (!left.isEmpty()) {
            LetterFilter named = LetterFilter.ofIds(List.copyOf(left));
            new LetterPages(letters, named, Long.MAX_VALUE).each(letter -> left.remove(letter.id()));
        }
        return List.copyOf(left);
    }

    long limit() {
        return limit == null ? Long.MAX_VALUE : limit;
    }

    boolean dryRun() {
        return dryRun;
    }
}
