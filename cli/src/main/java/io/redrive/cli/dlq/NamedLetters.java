package io.redrive.cli.dlq;

import io.redrive.events.LetterFilter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Letters by id, by filter and up to a limit: the parameters of commands that export or change letters. */
final class NamedLetters {

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            split = ",",
            description = "Letters by id, such as 3 4 17 or 3,4,17.")
    private List<Long> ids = List.of();

    @Mixin
    private LetterOptions options = new LetterOptions();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, the oldest first.")
    private @Nullable Long limit;

    /** Returns the filter for these letters. */
    LetterFilter filter(Instant now) {
        return options.filter(ids, now);
    }

    /**
     * Returns the largest number of letters; {@link Long#MAX_VALUE} when there is no limit.
     *
     * @throws IllegalArgumentException when the limit is below 1
     */
    long limit() {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        return limit == null ? Long.MAX_VALUE : limit;
    }
}
