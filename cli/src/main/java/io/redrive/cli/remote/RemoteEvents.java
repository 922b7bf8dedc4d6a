package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.Event;
import io.redrive.events.NamePattern;
import io.redrive.events.PublishResult;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import io.redrive.operations.EventOperations;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link EventOperations} of a server. */
final class RemoteEvents implements EventOperations {

    private final Api api;

    RemoteEvents(Api api) {
        this.api = api;
    }

    @Override
    public StoreStats stats() {
        return EventShapes.stats(api.get(ApiPath.of("events", "stats")));
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit) {
        ApiPath path = ApiPath.of("events", "scheduled")
                .with("name", filter.name().map(NamePattern::text))
                .with("due_before", filter.dueBefore())
                .with("cursor", filter.after().map(last -> last.event().due() + "_" + last.position()))
                .with("limit", limit);
        return api.get(path).list("items", EventShapes::scheduled);
    }

    @Override
    public List<SetAside> unhandled(int limit) {
        return api.get(ApiPath.of("events", "unhandled").with("limit", limit)).list("items", EventShapes::setAside);
    }

    @Override
    public List<PublishResult> publish(List<Event> events) {
        return send(ApiPath.of("events").with("record", true), events);
    }

    @Override
    public List<PublishResult> accept(List<Event> events) {
        return send(ApiPath.of("events"), events);
    }

    private List<PublishResult> send(ApiPath path, List<Event> events) {
        String body = events.stream()
                .map(event -> EventShapes.json(event).toString())
                .collect(Collectors.joining(",", "[", "]"));
        return api.change("POST", path, HttpTransport.Body.of(body, "application/json"))
                .orElseThrow()
                .list("items", EventShapes::result);
    }

    @Override
    public boolean cancel(String id, @Nullable String correlationId) {
        ApiPath path = ApiPath.of("events", id).with("correlation_id", correlationId);
        return api.change("DELETE", path, new JsonObject()).isPresent();
    }
}
