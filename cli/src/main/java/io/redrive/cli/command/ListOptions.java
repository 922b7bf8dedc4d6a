package io.redrive.cli.command;

import picocli.CommandLine.Option;

/** The options that all listing commands share: how many rows, and in which form. */
public final class ListOptions {

    private static final int USUAL_LIMIT = 50;

    @Option(names = "--limit", paramLabel = "N", description = "How many at most (default: ${DEFAULT-VALUE}).")
    private long limit;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    public ListOptions() {
        this(USUAL_LIMIT);
    }

    public ListOptions(long usualLimit) {
        limit = usualLimit;
    }

    /**
     * Returns the largest number of rows.
     *
     * @throws IllegalArgumentException when the number is below 1
     */
    public long limit() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        return limit;
    }

    /**
     * Returns the largest number of rows, for a command that reads a single page.
     *
     * @throws IllegalArgumentException when the number is below 1 or above {@code most}
     */
    public int limitUpTo(int most) {
        if (limit < 1 || limit > most) {
            throw new IllegalArgumentException("--limit must be between 1 and " + most + ", got " + limit);
        }
        return (int) limit;
    }

    /** Returns true when each row is wanted as a JSON object. */
    public boolean json() {
        return json;
    }
}
