package io.redrive.events;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The destination of given-up work: a topic, a table, or the dead letters of a Redrive store. Receives events of
 * other buses under an {@code EventRetry} and messages of actors under a {@code RetryBehavior}.
 *
 * @param <E> the type of events or messages
 */
@FunctionalInterface
public interface DeadLetterSink<E> {

    /**
     * Keeps the event for good.
     *
     * @throws Exception if the event is not kept; the bus must deliver the event again
     */
    void accept(AbandonedEvent<E> abandoned) throws Exception;

    /**
     * Returns a sink that keeps events as letters of a Redrive store, where operators view, edit and redrive letters.
     * An event (id and correlation id) that is a letter of the store already is not kept twice.
     *
     * @param letters the dead letters of the store
     * @param toEvent converts an event of the bus to an event of Redrive; equal events must get equal ids
     */
    static <E> DeadLetterSink<E> into(DeadLetters letters, Function<? super E, Event> toEvent) {
        return into(letters, toEvent, UnaryOperator.identity());
    }

    /**
     * {@link #into(DeadLetters, Function)} for letters without secrets.
     *
     * @param redaction removes secrets from a letter: {@code redaction.forStorage()::letter}, see {@link
     *     io.redrive.events.redaction.Redaction}
     */
    static <E> DeadLetterSink<E> into(
            DeadLetters letters, Function<? super E, Event> toEvent, UnaryOperator<DeadLetter> redaction) {
        return abandoned -> {
            Event event = toEvent.apply(abandoned.originalEvent()).toBuilder()
                    .header(DeadLetter.KEY_HEADER, abandoned.idempotencyKey())
                    .build();
            DeadLetter letter = new DeadLetter(
                    0,
                    event,
                    Optional.empty(),
                    abandoned.reason(),
                    abandoned.errorType(),
                    abandoned.lastError(),
                    "",
                    abandoned.serviceName(),
                    new Attempts(abandoned.attemptCount(), 0, 0),
                    0,
                    0,
                    abandoned.timestamp(),
                    abandoned.history());
            DeadLetter redacted = redaction.apply(letter);
            DeadLetter kept = redacted.withFingerprint(Fingerprint.of(redacted.errorType(), redacted.lastError()));
            letters.importLetters(List.of(kept), abandoned.serviceName(), abandoned.timestamp());
        };
    }

    /** {@link #into(DeadLetters, Function)} for events of Redrive. */
    static DeadLetterSink<Event> into(DeadLetters letters) {
        return into(letters, event -> event);
    }
}
