package io.redrive.cli.remote;

import io.redrive.core.DurationText;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.PastFailure;
import io.redrive.operations.EventFinder;
import io.redrive.operations.FoundEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@link EventFinder} of a server. */
final class RemoteEventFinder implements EventFinder {

    private final Api api;

    RemoteEventFinder(Api api) {
        this.api = api;
    }

    @Override
    public List<FoundEvent> find(EventQuery query, int limit) {
        return found(ApiPath.of("events", "find")
                .with("by", query.by().name().toLowerCase(Locale.ROOT))
                .with("text", query.text())
                .with("limit", limit));
    }

    @Override
    public List<FoundEvent> waiting(int limit) {
        return found(ApiPath.of("events", "waiting").with("limit", limit));
    }

    @Override
    public List<FoundEvent> waiting(String name, int limit) {
        return found(ApiPath.of("events", "waiting").with("name", name).with("limit", limit));
    }

    private List<FoundEvent> found(ApiPath path) {
        return api.get(path).list("items", EventShapes::found);
    }

    @Override
    public List<FinishedEvent> latest(Instant notBefore, int limit) {
        return finished(
                ApiPath.of("events", "finished").with("since", notBefore).with("limit", limit));
    }

    @Override
    public List<FinishedEvent> latest(String name, int limit) {
        return finished(ApiPath.of("events", "finished").with("name", name).with("limit", limit));
    }

    private List<FinishedEvent> finished(ApiPath path) {
        return api.get(path).list("items", EventShapes::finished);
    }

    @Override
    public List<PastFailure> failures(FinishedEvent event) {
        return api.find(ApiPath.of("events", "finished", "failures")
                        .with("event_id", event.id())
                        .with("origin", event.origin()))
                .map(found -> found.list("items", EventShapes::failure))
                .orElse(List.of());
    }

    @Override
    public Optional<Instant> rememberedSince() {
        return journal().optionalTime("remembered_since");
    }

    @Override
    public Duration retention() {
        return journal().text("retention", DurationText::parse);
    }

    private Fields journal() {
        return api.get(ApiPath.of("events", "journal"));
    }
}
