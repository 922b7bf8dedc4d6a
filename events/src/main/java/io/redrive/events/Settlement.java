package io.redrive.events;

import io.redrive.core.Reason;
import io.redrive.events.cause.ServiceVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The end of a claim: the outcome of the claimed event, which the store applies. A store applies at most one
 * settlement per claim; a settlement whose claim has lost its lease is stale and changes nothing.
 */
public sealed interface Settlement {

    /** Returns the claim of this settlement. */
    Claim claim();

    /** Returns when the event is ready again; empty for an event that has ended, or is ready at once. */
    default Optional<Instant> readyAgain() {
        return Optional.empty();
    }

    /** Returns the record of the failed attempt; empty for an event that was handled, given back or put off. */
    default Optional<AttemptRecord> failedAttempt() {
        return Optional.empty();
    }

    /**
     * Calls the method of {@code cases} for this kind of settlement.
     *
     * @param context passed to the method, so that one {@code Cases} serves many settlements
     */
    <C> void match(C context, Cases<C> cases);

    /**
     * One method for each kind of settlement, for {@link Settlement#match}: a new kind does not compile until every
     * store and listener handles it.
     *
     * @param <C> the type of the context
     */
    interface Cases<C> {

        /** The event was handled. */
        void done(Done done, C context);

        /** The event failed and is due again later. */
        void retry(Retry retry, C context);

        /** The event failed for good. */
        void dead(Dead dead, C context);

        /** The event was given back unhandled. */
        void release(Release release, C context);

        /** The event was put off. */
        void snooze(Snooze snooze, C context);
    }

    /**
     * The event was handled: the store removes it, and the journal, if it is on, remembers it.
     *
     * @param claim the claim that ends
     * @param node the node that handled the event; empty when unknown
     * @param duration how long the handler ran; zero when unknown
     */
    record Done(Claim claim, String node, Duration duration) implements Settlement {

        /** Ends a claim without telling the journal about node and duration. */
        public Done(Claim claim) {
            this(claim, "", Duration.ZERO);
        }

        @Override
        public <C> void match(C context, Cases<C> cases) {
            cases.done(this, context);
        }
    }

    /**
     * The event failed and is ready again at {@code due}, with one more failed attempt.
     *
     * @param claim the claim that ends
     * @param due when the event is ready again
     * @param delay the wait of the policy's decision; the next decision may depend on this wait
     * @param attempt the record of the failed attempt, for the event's history
     */
    record Retry(Claim claim, Instant due, Duration delay, AttemptRecord attempt) implements Settlement {
        @Override
        public Optional<Instant> readyAgain() {
            return Optional.of(due);
        }

        @Override
        public Optional<AttemptRecord> failedAttempt() {
            return Optional.of(attempt);
        }

        @Override
        public <C> void match(C context, Cases<C> cases) {
            cases.retry(this, context);
        }
    }

    /**
     * The event failed for good and becomes a dead letter in the same transaction.
     *
     * @param claim the claim that ends
     * @param reason why the event is not retried
     * @param attempt the record of the last attempt, for the event's history
     * @param fingerprint the fingerprint of the failure, by which dead letters are grouped
     * @param service the service whose pipeline gave up
     * @param version the version of that service; empty when unknown
     * @param redacted the event whose payload and headers the letter keeps instead, with the mark; empty to keep the event as it is
     */
    record Dead(
            Claim claim,
            Reason reason,
            AttemptRecord attempt,
            String fingerprint,
            String service,
            Optional<ServiceVersion> version,
            Optional<Event> redacted)
            implements Settlement {

        /** Gives up an event in a service of unknown version. */
        public Dead(Claim claim, Reason reason, AttemptRecord attempt, String fingerprint, String service) {
            this(claim, reason, attempt, fingerprint, service, Optional.empty());
        }

        /** Gives up an event and keeps all of it. */
        public Dead(
                Claim claim,
                Reason reason,
                AttemptRecord attempt,
                String fingerprint,
                String service,
                Optional<ServiceVersion> version) {
            this(claim, reason, attempt, fingerprint, service, version, Optional.empty());
        }

        @Override
        public Optional<AttemptRecord> failedAttempt() {
            return Optional.of(attempt);
        }

        @Override
        public <C> void match(C context, Cases<C> cases) {
            cases.dead(this, context);
        }
    }

    /** The event was given back unhandled (shutdown): ready at once, counted as interrupted, no attempt spent. */
    record Release(Claim claim) implements Settlement {
        @Override
        public <C> void match(C context, Cases<C> cases) {
            cases.release(this, context);
        }
    }

    /**
     * The event was put off until {@code due}: nothing is counted, no attempt is spent.
     *
     * @param claim the claim that ends
     * @param due when the event is ready again
     * @param cause why the event waits; counted by {@link StoreStats}
     */
    record Snooze(Claim claim, Instant due, Cause cause) implements Settlement {

        /** Puts an event off at the request of its handler. */
        public Snooze(Claim claim, Instant due) {
            this(claim, due, Cause.ASKED);
        }

        @Override
        public Optional<Instant> readyAgain() {
            return Optional.of(due);
        }

        @Override
        public <C> void match(C context, Cases<C> cases) {
            cases.snooze(this, context);
        }

        /** Why an event is put off. Stores keep the ordinal: new causes go to the end. */
        public enum Cause {
            /** The handler asked for the snooze. */
            ASKED,
            /** The event's name is paused. */
            PAUSED,
            /** The retry budget has no token. */
            NO_TOKEN
        }
    }
}
