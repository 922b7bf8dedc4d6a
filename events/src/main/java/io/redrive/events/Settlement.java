package io.redrive.events;

import io.redrive.core.Reason;
import java.time.Duration;
import java.time.Instant;

/** What became of a claim. Settled exactly once: a stale token changes nothing. */
public sealed interface Settlement {

    /** What is settled. */
    Claim claim();

    /** Handled. */
    record Done(Claim claim) implements Settlement {}

    /** Failed; ready again at {@code due}, with one failed attempt more. */
    record Retry(Claim claim, Instant due, Duration delay, AttemptRecord attempt) implements Settlement {}

    /**
     * Failed for good; becomes a dead letter in the same transaction.
     *
     * @param claim what is settled
     * @param reason why
     * @param attempt the last line of its history
     * @param fingerprint the cause, for grouping
     * @param service whose pipeline gave up
     */
    record Dead(Claim claim, Reason reason, AttemptRecord attempt, String fingerprint, String service)
            implements Settlement {}

    /** Given back unhandled (shutdown): ready at once, counted as interrupted, no attempt spent. */
    record Release(Claim claim) implements Settlement {}

    /**
     * Put off until {@code due}: nothing counted, no attempt spent.
     *
     * @param claim what is settled
     * @param due when the event is ready again
     * @param cause why; told by {@link StoreStats}
     */
    record Snooze(Claim claim, Instant due, Cause cause) implements Settlement {

        /** Put off because its handler asked for it. */
        public Snooze(Claim claim, Instant due) {
            this(claim, due, Cause.ASKED);
        }

        /** Why an event is put off. The order is part of what stores keep: add at the end. */
        public enum Cause {
            /** Its handler asked for it. */
            ASKED,
            /** Its name is paused. */
            PAUSED,
            /** Its retry budget has no token. */
            NO_TOKEN
        }
    }
}
