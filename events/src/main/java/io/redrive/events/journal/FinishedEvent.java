package io.redrive.events.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An event that was handled, as the journal remembers it: without payload and headers.
 *
 * @param id the event's id
 * @param correlationId the correlation id, if any
 * @param orderingKey the ordering key, if any
 * @param name the event's name
 * @param source the event's source
 * @param origin the position of the first publication; a redriven event keeps its origin, so that origins tell which of two
 *     events was published first
 * @param created when the event was created
 * @param finished when the event was settled as done
 * @param failed the failed attempts before the one that succeeded
 * @param interrupted the interrupted attempts
 * @param crashed the attempts that ended with their process
 * @param redrives how often the event was redriven
 * @param node the node that handled the event; empty when unknown
 * @param duration how long the handler ran; zero when unknown
 */
public record FinishedEvent(
        String id,
        Optional<String> correlationId,
        Optional<String> orderingKey,
        String name,
        String source,
        long origin,
        Instant created,
        Instant finished,
        int failed,
        int interrupted,
        int crashed,
        int redrives,
        String node,
        Duration duration) {

    /** Returns true when an attempt before the last one failed: a retry or a redrive saved the event. */
    public boolean isSaved() {
        return failed > 0 || redrives > 0;
    }

    /** Returns true when this event is an answer to {@code query}. */
    public boolean matches(EventQuery query) {
        return switch (query.by()) {
            case ID -> id.equals(query.text());
            case CORRELATION -> correlationId.filter(query.text()::equals).isPresent();
            case KEY -> orderingKey.filter(query.text()::equals).isPresent();
            case NAME -> name.equals(query.text());
        };
    }
}
