package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.UnfinishedEvent;
import java.time.Instant;
import java.util.Optional;

/**
 * An event that an operator asked for, in whatever state it is.
 *
 * <p>{@link Waits} and {@link Runs} are unfinished, {@link Died} is a dead letter, {@link Finished} is in the journal.
 */
public sealed interface FoundEvent {

    /**
     * What an event is called, in every state.
     *
     * @param id the event's id
     * @param correlationId the correlation id, if any
     * @param orderingKey the ordering key, if any
     * @param name the event's name
     * @param source the event's source
     * @param created when the event was created
     */
    record Identity(
            String id,
            Optional<String> correlationId,
            Optional<String> orderingKey,
            String name,
            String source,
            Instant created) {

        static Identity of(UnfinishedEvent event) {
            return new Identity(
                    event.id(),
                    event.correlationId(),
                    event.orderingKey(),
                    event.name(),
                    event.source(),
                    event.created());
        }

        static Identity of(FinishedEvent event) {
            return new Identity(
                    event.id(),
                    event.correlationId(),
                    event.orderingKey(),
                    event.name(),
                    event.source(),
                    event.created());
        }

        static Identity of(Event event) {
            return new Identity(
                    event.id(),
                    event.correlationId(),
                    event.orderingKey(),
                    event.name(),
                    event.source(),
                    event.created());
        }
    }

    /** Returns what the event is called. */
    Identity identity();

    /** Returns the state in one word: {@code waiting}, {@code claimed}, {@code dead} or {@code finished}. */
    String state();

    /** Returns the event's id. */
    default String id() {
        return identity().id();
    }

    /** Returns the correlation id, if any. */
    default Optional<String> correlationId() {
        return identity().correlationId();
    }

    /** Returns the ordering key, if any. */
    default Optional<String> orderingKey() {
        return identity().orderingKey();
    }

    /** Returns the event's name. */
    default String name() {
        return identity().name();
    }

    /** Returns the event's source. */
    default String source() {
        return identity().source();
    }

    /** Returns when the event was created. */
    default Instant created() {
        return identity().created();
    }

    /**
     * The event waits.
     *
     * @param event the event
     * @param waiting until when the event waits
     * @param why the reason of the wait, in words
     * @param since since when the event waits for this reason; empty when an earlier release stored the wait
     */
    record Waits(UnfinishedEvent event, UnfinishedEvent.Waiting waiting, String why, Optional<Instant> since)
            implements FoundEvent {

        /** Creates a wait that began when the store says. */
        public Waits(UnfinishedEvent event, UnfinishedEvent.Waiting waiting, String why) {
            this(event, waiting, why, since(event, waiting));
        }

        /** Creates a wait of an event whose name is paused since {@code paused}: a due event waited for other reasons before. */
        static Waits paused(UnfinishedEvent event, UnfinishedEvent.Waiting waiting, String why, Instant paused) {
            Optional<Instant> since = since(event, waiting);
            boolean isDue =
                    waiting.why() == UnfinishedEvent.Why.READY || waiting.why() == UnfinishedEvent.Why.SET_ASIDE;
            return new Waits(event, waiting, why, isDue ? since.map(due -> due.isAfter(paused) ? due : paused) : since);
        }

        private static Optional<Instant> since(UnfinishedEvent event, UnfinishedEvent.Waiting waiting) {
            return switch (waiting.why()) {
                case READY, SET_ASIDE -> Optional.of(waiting.due());
                case DUE_TIME -> Optional.of(event.created());
                // A redriven event joins the end of its line, due at once.
                case BEHIND -> Optional.of(event.redrives() == 0 ? event.created() : waiting.due());
                case BACKOFF, SNOOZED, PAUSED, NO_TOKEN -> waiting.putOff();
            };
        }

        @Override
        public Identity identity() {
            return Identity.of(event);
        }

        @Override
        public String state() {
            return "waiting";
        }
    }

    /**
     * A node has claimed the event.
     *
     * @param event the event
     * @param claim the node and its lease
     */
    record Runs(UnfinishedEvent event, UnfinishedEvent.Claimed claim) implements FoundEvent {
        @Override
        public Identity identity() {
            return Identity.of(event);
        }

        @Override
        public String state() {
            return "claimed";
        }
    }

    /** The event is a dead letter; {@code letter} has no history. */
    record Died(DeadLetter letter) implements FoundEvent {
        @Override
        public Identity identity() {
            return Identity.of(letter.event());
        }

        @Override
        public String state() {
            return "dead";
        }
    }

    /** The event was handled, as the journal remembers. */
    record Finished(FinishedEvent event) implements FoundEvent {
        @Override
        public Identity identity() {
            return Identity.of(event);
        }

        @Override
        public String state() {
            return "finished";
        }
    }
}
