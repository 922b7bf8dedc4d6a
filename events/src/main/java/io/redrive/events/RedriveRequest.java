package io.redrive.events;

import java.time.Instant;

/**
 * Asks to bring dead letters back.
 *
 * @param filter which
 * @param limit how many at most in this call, oldest letter first (which keeps the order within an ordering key)
 * @param batch a name for what is redriven together, to ask for its {@link RedriveProgress}; not blank
 * @param operator who asks, for the record of actions
 * @param automatic counted against the limit of automatic redrives
 * @param now when
 */
public record RedriveRequest(
        LetterFilter filter, int limit, String batch, String operator, boolean automatic, Instant now) {

    /** How many letters one call may redrive. */
    public static final int MAX_LIMIT = 1_000;

    /** Refuses a limit out of range and blank names. */
    public RedriveRequest {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("redrive limit must be between 1 and " + MAX_LIMIT + ", got " + limit);
        }
        Texts.require("batch", batch);
        Texts.require("operator", operator);
    }
}
