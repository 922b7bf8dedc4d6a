package io.redrive.spring;

import io.redrive.events.PublishResult;
import java.util.List;
import java.util.OptionalLong;

/** The result of publishing an event on the {@link EventBus}. */
public sealed interface Publication {

    /** Stored. In a joined transaction, durable with the commit. */
    Publication ACCEPTED = new Accepted();

    /** Dropped as a duplicate; the earlier event is not a dead letter. */
    Publication DUPLICATE = new Duplicate(OptionalLong.empty());

    /** Will be stored right after the commit of the current transaction; a rollback discards the event. */
    Publication AFTER_COMMIT = new AfterCommit();

    /** Stored. In a joined transaction, durable with the commit. */
    record Accepted() implements Publication {}

    /**
     * Dropped, because an event with the same id and correlation id was published before.
     *
     * @param letter the id of the dead letter, when the earlier event is dead: redrive this letter to handle the event again
     */
    record Duplicate(OptionalLong letter) implements Publication {}

    /** Will be stored right after the commit of the current transaction; a rollback discards the event. */
    record AfterCommit() implements Publication {}

    /** The answers of a store. */
    static List<Publication> of(List<PublishResult> results) {
        return results.stream()
                .map(result -> result.isDuplicate() ? new Duplicate(result.letter()) : ACCEPTED)
                .toList();
    }
}
