package io.redrive.spring;

import io.redrive.events.PublishResult;
import java.util.List;

/** What became of an event given to the {@link EventBus}. */
public enum Publication {
    /** Stored; within a joined transaction, as durable as that. */
    ACCEPTED,
    /** The same id and correlation id was published before: dropped. */
    DUPLICATE,
    /** Will be stored when the transaction of the moment has committed, and not if it rolls back. */
    AFTER_COMMIT;

    static List<Publication> of(List<PublishResult> results) {
        return results.stream()
                .map(result -> result == PublishResult.ACCEPTED ? ACCEPTED : DUPLICATE)
                .toList();
    }
}
