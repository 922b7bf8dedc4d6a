package io.redrive.events;

import java.time.Instant;

/**
 * Asks to bring dead letters back.
 *
 * @param filter which
 * @param limit how many at most in this call, oldest letter first (which keeps the order within an ordering key)
 * @param command who asks; its id names the batch, to ask for its {@link RedriveProgress}
 * @param automatic counted against the limit of automatic redrives
 * @param now when
 */
public record RedriveRequest(LetterFilter filter, int limit, OperatorCommand command, boolean automatic, Instant now) {

    /** How many letters one call may redrive. */
    public static final int MAX_LIMIT = 1_000;

    /** Refuses a limit out of range. */
    public RedriveRequest {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("redrive limit must be between 1 and " + MAX_LIMIT + ", got " + limit);
        }
    }

    /** A request of unknown origin; refuses a blank batch or operator. */
    public RedriveRequest(
            LetterFilter filter, int limit, String batch, String operator, boolean automatic, Instant now) {
        this(filter, limit, new OperatorCommand(Texts.require("batch", batch), operator, "", ""), automatic, now);
    }

    /** The name of what is redriven together. */
    public String batch() {
        return command.id();
    }
}
