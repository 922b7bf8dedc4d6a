package io.redrive.spring;

import io.redrive.events.Event;
import io.redrive.pipeline.Pipeline;
import java.util.List;

/** How events get from the bus to the store: at once, as part of the current transaction, or after its commit. */
@FunctionalInterface
interface PublishRoute {

    List<Publication> publish(List<Event> events);

    /** Publishes at once, regardless of transactions. */
    static PublishRoute atOnce(Pipeline pipeline) {
        return events -> Publication.of(pipeline.publish(events));
    }
}
