package io.redrive.operations;

import io.redrive.events.DeadLetter;
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

    /** Returns the event's id. */
    String id();

    /** Returns the correlation id, if any. */
    Optional<String> correlationId();

    /** Returns the ordering key, if any. */
    Optional<String> orderingKey();

    /** Returns the event's name. */
    String name();

    /** Returns the event's source. */
    String source();

    /** Returns when the event was created. */
    Instant created();

    /** Returns the state in one word: {@code waiting}, {@code claimed}, {@code dead} or {@code finished}. */
    String state();

    /**
     * The event waits.
     *
     * @param event the event
     * @param waiting until when the event waits
     * @param why the reason of the wait, in words
     */
    record Waits(UnfinishedEvent event, UnfinishedEvent.Waiting waiting, String why) implements FoundEvent {
        @Override
        public String state() {
            return "waiting";
        }

        @Override
        public String id() {
            return event.id();
        }

        @Override
        public Optional<String> correlationId() {
            return event.correlationId();
        }

        @Override
        public Optional<String> orderingKey() {
            return event.orderingKey();
        }

        @Override
        public String name() {
            return event.name();
        }

        @Override
        public String source() {
            return event.source();
        }

        @Override
        public Instant created() {
            return event.created();
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
        public String state() {
            return "claimed";
        }

        @Override
        public String id() {
            return event.id();
        }

        @Override
        public Optional<String> correlationId() {
            return event.correlationId();
        }

        @Override
        public Optional<String> orderingKey() {
            return event.orderingKey();
        }

        @Override
        public String name() {
            return event.name();
        }

        @Override
        public String source() {
            return event.source();
        }

        @Override
        public Instant created() {
            return event.created();
        }
    }

    /** The event is a dead letter; {@code letter} has no history. */
    record Died(DeadLetter letter) implements FoundEvent {
        @Override
        public String state() {
            return "dead";
        }

        @Override
        public String id() {
            return letter.event().id();
        }

        @Override
        public Optional<String> correlationId() {
            return letter.event().correlationId();
        }

        @Override
        public Optional<String> orderingKey() {
            return letter.event().orderingKey();
        }

        @Override
        public String name() {
            return letter.event().name();
        }

        @Override
        public String source() {
            return letter.event().source();
        }

        @Override
        public Instant created() {
            return letter.event().created();
        }
    }

    /** The event was handled, as the journal remembers. */
    record Finished(FinishedEvent event) implements FoundEvent {
        @Override
        public String state() {
            return "finished";
        }

        @Override
        public String id() {
            return event.id();
        }

        @Override
        public Optional<String> correlationId() {
            return event.correlationId();
        }

        @Override
        public Optional<String> orderingKey() {
            return event.orderingKey();
        }

        @Override
        public String name() {
            return event.name();
        }

        @Override
        public String source() {
            return event.source();
        }

        @Override
        public Instant created() {
            return event.created();
        }
    }
}
