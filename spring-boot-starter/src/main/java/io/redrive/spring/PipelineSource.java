package io.redrive.spring;

import io.redrive.events.EventStore;
import io.redrive.events.flow.FlowReport;
import java.util.Optional;

/** Puts a source of events above the store of the pipeline. Without such a bean the pipeline handles the events of its store alone. */
@FunctionalInterface
public interface PipelineSource {

    /** Returns the store that the pipeline uses, with {@code store} under it. Called once, when this process handles events. */
    EventStore above(EventStore store);

    /** Returns the state of the source at this process, for health; empty when there is none. Default: empty. */
    default Optional<FlowReport> report() {
        return Optional.empty();
    }
}
