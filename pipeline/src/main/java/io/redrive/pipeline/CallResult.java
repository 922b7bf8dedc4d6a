package io.redrive.pipeline;

import java.time.Duration;
import java.time.Instant;

/** The result of one call of a handler, or of the validators before it. */
sealed interface CallResult {

    /** Returns the outcome of the event, or of each event of a batch that the handler did not report. */
    Outcome outcome();

    /** Returns when the call began. */
    Instant began();

    /** Returns how long the call took. */
    Duration took();

    /** The call returned or threw by itself. */
    record Ended(Outcome outcome, Instant began, Duration took) implements CallResult {}

    /** The time limit interrupted the call. */
    record TimedOut(Outcome outcome, Instant began, Duration took) implements CallResult {}
}
