package io.redrive.spring;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.micrometer.EventObservations;
import java.util.List;

/** The bus on a store. */
final class StoreEventBus implements EventBus {

    private final String service;
    private final Time time;
    private final Payloads payloads;
    private final EventObservations observations;
    private final PublishRoute route;

    /** {@code observations} may be null. */
    StoreEventBus(String service, Time time, Payloads payloads, EventObservations observations, PublishRoute route) {
        this.service = service;
        this.time = time;
        this.payloads = payloads;
        this.observations = observations;
        this.route = route;
    }

    @Override
    public List<Publication> publish(List<Event> events) {
        // The trace is that of the caller, also when the event leaves later.
        return observations == null ? route.publish(events) : observations.publish(events, route::publish);
    }

    @Override
    public Event.Builder event(String name, Object payload) {
        return payloads.write(Event.named(name).source(service).time(time), payload);
    }
}
