package io.redrive.spring;

import io.redrive.events.Event;
import io.redrive.pipeline.Pipeline;
import java.util.List;

/** The way events take from the bus to the store. */
@FunctionalInterface
interface PublishRoute {

    List<Publication> publish(List<Event> events);

    /** At once, whatever transaction there is. */
    static PublishRoute atOnce(Pipeline pipeline) {
        return events -> Publication.of(pipeline.publish(events));
    }
}
