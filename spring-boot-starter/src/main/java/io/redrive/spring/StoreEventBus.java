package io.redrive.spring;

import io.redrive.core.Time;
import io.redrive.events.Event;
import java.util.List;

/** Publishes events to a store. */
final class StoreEventBus implements EventBus {

    private final String service;
    private final Time time;
    private final Payloads payloads;
    private final PublishRoute route;

    StoreEventBus(String service, Time time, Payloads payloads, PublishRoute route) {
        this.service = service;
        this.time = time;
        this.payloads = payloads;
        this.route = route;
    }

    @Override
    public List<Publication> publish(List<Event> events) {
        return route.publish(events);
    }

    @Override
    public Event.Builder event(String name, Object payload) {
        return payloads.write(Event.named(name).source(service).time(time), payload);
    }
}
