package io.redrive.testkit;

import io.redrive.events.HandledEvent;
import io.redrive.events.HandledSamples;
import java.time.Instant;
import java.util.List;

/** Passes each call on to the samples of a store through a {@link ForwardingStore}. */
record ForwardedSamples(HandledSamples target, ForwardingStore through) implements HandledSamples {

    @Override
    public void add(List<HandledEvent> events) {
        through.forward("add samples", () -> {
            target.add(events);
            return true;
        });
    }

    @Override
    public List<HandledEvent> newest(String name, int limit) {
        return through.forward("read samples", () -> target.newest(name, limit));
    }

    @Override
    public List<String> names(int limit) {
        return through.forward("names of samples", () -> target.names(limit));
    }

    @Override
    public int expire(Instant before) {
        return through.forward("expire samples", () -> target.expire(before));
    }
}
