package io.redrive.events;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where work that is given up is left: a topic, a table, or the dead letters of a Redrive store. Events of other buses
 * under an {@code EventRetry} and messages of actors under a {@code RetryBehavior} go here.
 *
 * @param <E> the type of events or messages
 */
@FunctionalInterface
public interface DeadLetterSink<E> {

    /** The header that keeps the idempotency key of a letter in a Redrive store. */
    String KEY_HEADER = "idempotency_key";

    /** Keeps it for good, or throws: then it is not kept, and a bus has to deliver it again. */
    void accept(AbandonedEvent<E> abandoned) throws Exception;

    /**
     * Keeps events as letters of a Redrive store, where they can be looked at, edited and redriven into a pipeline. An
     * event (id and correlation id) that already is a letter there is not kept twice.
     *
     * @param letters where to
     * @param toEvent makes an event of Redrive of one of the bus; the id must be the same for the same event
     */
    static <E> DeadLetterSink<E> into(DeadLetters letters, Function<? super E, Event> toEvent) {
        return abandoned -> {
            Event event = toEvent.apply(abandoned.originalEvent()).toBuilder()
                    .header(KEY_HEADER, abandoned.idempotencyKey())
                    .build();
            DeadLetter letter = new DeadLetter(
                    0,
                    event,
                    Optional.empty(),
                    abandoned.reason(),
                    abandoned.errorType(),
                    abandoned.lastError(),
                    Fingerprint.of(abandoned.errorType(), abandoned.lastError()),
                    abandoned.serviceName(),
                    new Attempts(abandoned.attemptCount(), 0, 0),
                    0,
                    0,
                    abandoned.timestamp(),
                    abandoned.history());
            letters.importLetters(List.of(letter), abandoned.serviceName(), abandoned.timestamp());
        };
    }

    /** {@link #into(DeadLetters, Function)} for events that are Redrive's already. */
    static DeadLetterSink<Event> into(DeadLetters letters) {
        return into(letters, event -> event);
    }
}
