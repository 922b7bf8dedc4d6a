package io.redrive.events;

import java.time.Instant;

/**
 * A request to redrive dead letters.
 *
 * @param filter selects the letters
 * @param limit the most letters of this call, oldest first (which keeps the order within an ordering key)
 * @param command the operator's command; its id names the batch of the redriven events
 * @param automatic true for an automatic redrive, which counts against the limit of automatic redrives
 * @param now the time of the request
 */
public record RedriveRequest(LetterFilter filter, int limit, OperatorCommand command, boolean automatic, Instant now) {

    /** The most letters that one call redrives. */
    public static final int MAX_LIMIT = 1_000;

    /** Refuses a limit out of range. */
    public RedriveRequest {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("redrive limit must be between 1 and " + MAX_LIMIT + ", got " + limit);
        }
    }

    /** Creates a request of unknown origin; refuses a blank batch or operator. */
    public RedriveRequest(
            LetterFilter filter, int limit, String batch, String operator, boolean automatic, Instant now) {
        this(filter, limit, new OperatorCommand(Texts.require("batch", batch), operator, "", ""), automatic, now);
    }

    /** Returns the name of the batch. */
    public String batch() {
        return command.id();
    }
}
