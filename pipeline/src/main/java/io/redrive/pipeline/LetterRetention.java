package io.redrive.pipeline;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * How long dead letters stay in a store, and where older letters are exported to before they are deleted. Letters are kept for ever by
 * default.
 *
 * <pre>{@code
 * Pipeline.on(store).retention(new LetterRetention(Duration.ofDays(90), Path.of("/var/lib/orders/letters")))
 * }</pre>
 *
 * @param olderThan letters that died longer ago than this are exported and deleted; at least 1 hour
 * @param folder the folder for the exports, which must exist on the node that runs a sweep
 */
public record LetterRetention(Duration olderThan, Path folder) {

    /** The shortest retention: a shorter one would take letters from under the eyes of operators. */
    public static final Duration SHORTEST = Duration.ofHours(1);

    /** Refuses a retention that is too short. */
    public LetterRetention {
        Objects.requireNonNull(folder, "folder");
        if (olderThan.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("olderThan must be at least 1 hour, got " + olderThan);
        }
    }
}
