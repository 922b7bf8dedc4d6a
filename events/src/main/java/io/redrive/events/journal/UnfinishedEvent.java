package io.redrive.events.journal;

import java.time.Instant;
import java.util.Optional;

/**
 * An event that is neither finished nor dead, without payload and headers.
 *
 * @param id the event's id
 * @param correlationId the correlation id, if any
 * @param orderingKey the ordering key, if any
 * @param name the event's name
 * @param source the event's source
 * @param position the position of the event in its store
 * @param origin the position of the first publication
 * @param created when the event was created
 * @param failed the failed attempts so far
 * @param interrupted the interrupted attempts so far
 * @param crashed the attempts so far that ended with their process
 * @param redrives how often the event was redriven
 * @param state where the event is
 */
public record UnfinishedEvent(
        String id,
        Optional<String> correlationId,
        Optional<String> orderingKey,
        String name,
        String source,
        long position,
        long origin,
        Instant created,
        int failed,
        int interrupted,
        int crashed,
        int redrives,
        State state) {

    /** Where an unfinished event is. */
    public sealed interface State {}

    /**
     * A node has claimed the event.
     *
     * @param node the node that holds the claim
     * @param since when the node claimed the event; empty when the store does not know
     * @param until when the claim's lease ends unless the node extends it
     */
    public record Claimed(String node, Optional<Instant> since, Instant until) implements State {}

    /**
     * The event waits.
     *
     * @param due when the event may be claimed
     * @param why the reason of the wait
     * @param behind the id of the first unfinished event of the same ordering key, for {@link Why#BEHIND}
     * @param putOff when the due time was set, for {@link Why#BACKOFF}, {@link Why#SNOOZED}, {@link Why#PAUSED} and {@link
     *     Why#NO_TOKEN}: at the failure, or when the event was last put off. Empty for other reasons, and where an earlier
     *     release stored the wait
     */
    public record Waiting(Instant due, Why why, Optional<String> behind, Optional<Instant> putOff) implements State {

        /** Creates a wait whose begin is not known. */
        public Waiting(Instant due, Why why, Optional<String> behind) {
            this(due, why, behind, Optional.empty());
        }
    }

    /** Why an event waits. */
    public enum Why {
        /** Due, and not claimed yet. */
        READY("is due and waits for a free node"),
        /** The due time of publication has not come. */
        DUE_TIME("waits for its due time"),
        /** An attempt failed; the next attempt is due later. */
        BACKOFF("waits for its next attempt"),
        /** The handler asked for a later time. */
        SNOOZED("was put off by its handler"),
        /** Put off because its name is paused. */
        PAUSED("waits because its name is paused"),
        /** Put off because the retry budget has no token. */
        NO_TOKEN("waits for a token of the retry budget"),
        /** Set aside: no live node handles its name, or its name is paused. */
        SET_ASIDE("is set aside, because no node claims its name"),
        /** An earlier event of the same ordering key is unfinished. */
        BEHIND("waits behind an earlier event of its ordering key");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        /** Returns the reason in words, such as {@code waits for its due time}. */
        public String words() {
            return words;
        }
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
