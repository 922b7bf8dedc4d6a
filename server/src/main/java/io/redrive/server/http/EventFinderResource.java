package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.PastFailure;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.operations.EventFinder;
import io.redrive.operations.FoundEvent;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.util.RawValue;

/** Events in any state: waiting, claimed, dead or finished. */
@RestController
class EventFinderResource {

    private final CallerOperations operations;

    EventFinderResource(CallerOperations operations) {
        this.operations = operations;
    }

    private EventFinder finder(HttpServletRequest request) {
        return operations.of(request).finder();
    }

    @GetMapping("/api/v1/events/find")
    Map<String, Object> find(HttpServletRequest request) {
        Query query = Query.of(request, "by", "text", "limit");
        EventQuery.By by = query.value("by", EventFinderResource::by)
                .orElseThrow(() -> Problem.wrong("by", null, "must be " + ways()));
        EventQuery wanted = query.value("text", text -> new EventQuery(by, text))
                .orElseThrow(() -> Problem.wrong("text", null, "must be the " + by.words() + " to look for"));
        return Answer.list(finder(request).find(wanted, operations.limit(query)), EventFinderResource::view);
    }

    private static EventQuery.By by(String text) {
        return Arrays.stream(EventQuery.By.values())
                .filter(each -> code(each).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("it must be " + ways()));
    }

    private static String ways() {
        return String.join(
                ", ",
                Arrays.stream(EventQuery.By.values())
                        .map(EventFinderResource::code)
                        .toList());
    }

    private static String code(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @GetMapping("/api/v1/events/waiting")
    Map<String, Object> waiting(HttpServletRequest request) {
        Query query = Query.of(request, "name", "limit");
        int limit = operations.limit(query);
        Optional<String> name = query.text("name");
        List<FoundEvent> found = name.isPresent()
                ? finder(request).waiting(name.get(), limit)
                : finder(request).waiting(limit);
        return Answer.list(found, EventFinderResource::view);
    }

    /** Finished events, the last one first, with the reach of the journal. */
    @GetMapping("/api/v1/events/finished")
    Map<String, Object> finished(HttpServletRequest request) {
        Query query = Query.of(request, "name", "since", "limit");
        int limit = operations.limit(query);
        EventFinder finder = finder(request);
        Optional<String> name = query.text("name");
        Optional<Instant> since = query.time("since");
        if (name.isPresent() && since.isPresent()) {
            throw Problem.wrong("since", since.get().toString(), "must be missing beside name");
        }
        List<FinishedEvent> found =
                name.isPresent() ? finder.latest(name.get(), limit) : finder.latest(since.orElse(Instant.EPOCH), limit);
        return new Answer()
                .put(
                        "items",
                        found.stream()
                                .map(event -> finished(new Answer(), event))
                                .toList())
                .done();
    }

    @GetMapping("/api/v1/events/journal")
    Map<String, Object> journal(HttpServletRequest request) {
        Query.of(request);
        EventFinder finder = finder(request);
        return new Answer()
                .put("remembered_since", finder.rememberedSince())
                .put("retention", DurationText.format(finder.retention()))
                .done();
    }

    /** Failed attempts of a finished event, which id and origin name. */
    @GetMapping("/api/v1/events/finished/failures")
    Map<String, Object> failures(HttpServletRequest request) {
        Query query = Query.of(request, "event_id", "origin");
        String id = query.text("event_id")
                .orElseThrow(() -> Problem.wrong("event_id", null, "must be the id of a finished event"));
        long origin = query.value("origin", Long::parseLong)
                .orElseThrow(() -> Problem.wrong("origin", null, "must be the origin of a finished event"));
        EventFinder finder = finder(request);
        FinishedEvent event = finder.find(EventQuery.id(id), operations.mostRows()).stream()
                .flatMap(found ->
                        found instanceof FoundEvent.Finished finished ? Stream.of(finished.event()) : Stream.empty())
                .filter(finished -> finished.origin() == origin)
                .findFirst()
                .orElseThrow(() -> Problem.missing("finished event", id));
        return Answer.list(finder.failures(event), EventFinderResource::failure);
    }

    private static Answer failure(PastFailure failure) {
        return new Answer()
                .put("number", failure.number())
                .put("at", failure.at())
                .put("node", failure.node())
                .put("duration_ms", failure.duration())
                .put("error_type", failure.errorType())
                .put("message", failure.message())
                .put("decision", failure.decision());
    }

    private static Answer view(FoundEvent found) {
        Answer answer = new Answer().put("state", found.state());
        if (found instanceof FoundEvent.Died died) {
            return known(answer, found).put("letter", new RawValue(DeadLetterJson.write(died.letter())));
        }
        if (found instanceof FoundEvent.Finished finished) {
            return finished(answer, finished.event());
        }
        if (found instanceof FoundEvent.Runs runs) {
            return unfinished(known(answer, found), runs.event())
                    .put("node", runs.claim().node())
                    .put("claimed", runs.claim().since())
                    .put("lease_until", runs.claim().until());
        }
        FoundEvent.Waits waits = (FoundEvent.Waits) found;
        return unfinished(known(answer, found), waits.event())
                .put("since", waits.since())
                .put("due", waits.waiting().due())
                .put("why", code(waits.waiting().why()))
                .put("explanation", waits.why())
                .put("behind", waits.waiting().behind());
    }

    private static Answer known(Answer answer, FoundEvent found) {
        return answer.put("id", found.id())
                .put("correlation_id", found.correlationId())
                .put("ordering_key", found.orderingKey())
                .put("name", found.name())
                .put("source", found.source())
                .put("created", found.created());
    }

    private static Answer unfinished(Answer answer, UnfinishedEvent event) {
        return answer.put("position", event.position())
                .put("origin", event.origin())
                .put("failed", event.failed())
                .put("interrupted", event.interrupted())
                .put("crashed", event.crashed())
                .put("redrives", event.redrives());
    }

    private static Answer finished(Answer answer, FinishedEvent event) {
        return answer.put("id", event.id())
                .put("correlation_id", event.correlationId())
                .put("ordering_key", event.orderingKey())
                .put("name", event.name())
                .put("source", event.source())
                .put("origin", event.origin())
                .put("created", event.created())
                .put("finished", event.finished())
                .put("failed", event.failed())
                .put("interrupted", event.interrupted())
                .put("crashed", event.crashed())
                .put("redrives", event.redrives())
                .put("node", event.node())
                .put("duration_ms", event.duration());
    }
}
