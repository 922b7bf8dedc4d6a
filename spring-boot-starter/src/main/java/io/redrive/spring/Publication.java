package io.redrive.spring;

import io.redrive.events.PublishResult;
import java.util.List;
import java.util.OptionalLong;

/** What became of an event given to the {@link EventBus}. */
public sealed interface Publication {

    /** Stored; within a joined transaction, as durable as that. */
    Publication ACCEPTED = new Accepted();

    /** A duplicate that is no dead letter: dropped. */
    Publication DUPLICATE = new Duplicate(OptionalLong.empty());

    /** Will be stored when the transaction of the moment has committed, and not if it rolls back. */
    Publication AFTER_COMMIT = new AfterCommit();

    /** Stored; within a joined transaction, as durable as that. */
    record Accepted() implements Publication {}

    /**
     * The same id and correlation id was published before: dropped.
     *
     * @param letter the dead letter that the earlier event has become; redriving that letter is the way to handle it again
     */
    record Duplicate(OptionalLong letter) implements Publication {}

    /** Will be stored when the transaction of the moment has committed, and not if it rolls back. */
    record AfterCommit() implements Publication {}

    /** The answers of a store. */
    static List<Publication> of(List<PublishResult> results) {
        return results.stream()
                .map(result -> result.isDuplicate() ? new Duplicate(result.letter()) : ACCEPTED)
                .toList();
    }
}
