package io.redrive.server.http;

import io.redrive.events.Event;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Events that are not dead. */
@RestController
class EventResource {

    private final CallerOperations operations;

    EventResource(CallerOperations operations) {
        this.operations = operations;
    }

    @GetMapping("/api/v1/events/stats")
    Map<String, Object> stats(HttpServletRequest request) {
        Query.of(request);
        return stats(operations.of(request).events().stats()).done();
    }

    static Answer stats(StoreStats stats) {
        return new Answer()
                .put("ready", stats.ready())
                .put("delayed", stats.delayed())
                .put("claimed", stats.claimed())
                .put("dead", stats.dead())
                .put("oldest_ready_ms", stats.oldestReady().toMillis())
                .put("behind_key", stats.waiting().behindKey())
                .put("without_handler", stats.waiting().setAside())
                .put(
                        "oldest_without_handler_ms",
                        stats.waiting().oldestSetAside().toMillis())
                .put("paused", stats.waiting().paused())
                .put("without_token", stats.waiting().forToken());
    }

    @GetMapping("/api/v1/events/scheduled")
    Map<String, Object> scheduled(HttpServletRequest request) {
        Query query = Query.of(request, "name", "due_before", "limit", "cursor");
        int limit = operations.limit(query);
        Scheduled.Filter named =
                query.value("name", Scheduled.Filter.ALL::withName).orElse(Scheduled.Filter.ALL);
        Scheduled.Filter filter =
                query.time("due_before").map(named::withDueBefore).orElse(named);
        Scheduled.Filter after =
                query.value("cursor", EventResource::place).map(filter::after).orElse(filter);
        List<Scheduled> found = operations.of(request).events().scheduled(after, limit);
        return Answer.pageByText(
                found,
                limit,
                scheduled -> event(scheduled.event())
                        .put("position", scheduled.position())
                        .done(),
                last -> last.event().due() + "_" + last.position());
    }

    /** Returns the place behind which a page begins: any event that is due then, at that position. */
    private static Scheduled place(String cursor) {
        String[] parts = cursor.split("_", 2);
        if (parts.length != 2) {
            throw new IllegalArgumentException("it must be the cursor of an earlier page");
        }
        Event event = Event.named("x")
                .id("x")
                .source("x")
                .created(Instant.EPOCH)
                .due(Instant.parse(parts[0]))
                .build();
        return new Scheduled(event, Long.parseLong(parts[1]));
    }

    private static Answer event(Event event) {
        return new Answer()
                .put("id", event.id())
                .put("name", event.name())
                .put("source", event.source())
                .put("priority", event.priority().code())
                .put("correlation_id", event.correlationId())
                .put("ordering_key", event.orderingKey())
                .put("created", event.created())
                .put("due", event.due())
                .put("deadline", event.deadline());
    }

    @GetMapping("/api/v1/events/unhandled")
    Map<String, Object> unhandled(HttpServletRequest request) {
        Query query = Query.of(request, "limit");
        List<SetAside> names = operations.of(request).events().unhandled(operations.limit(query));
        return Answer.list(
                names,
                aside -> new Answer()
                        .put("name", aside.name())
                        .put("waited_ms", aside.waited().toMillis()));
    }

    @DeleteMapping("/api/v1/events/{id}")
    Map<String, Object> cancel(HttpServletRequest request, @PathVariable String id) {
        Query query = Query.of(request, "correlation_id");
        boolean removed = operations
                .of(request)
                .events()
                .cancel(id, query.text("correlation_id").orElse(null));
        if (!removed) {
            throw Problem.missing("waiting event", id);
        }
        return new Answer().put("id", id).put("result", "removed").done();
    }
}
