package io.redrive.server.http;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Preview;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Dead letters. */
@RestController
class LetterResource {

    private final CallerOperations operations;

    LetterResource(CallerOperations operations) {
        this.operations = operations;
    }

    private LetterOperations letters(HttpServletRequest request) {
        return operations.of(request).letters();
    }

    @GetMapping("/api/v1/letters")
    Map<String, Object> list(HttpServletRequest request) {
        Query query = Query.of(request, LetterFilters.names("order", "limit", "cursor"));
        int limit = operations.limit(query);
        LetterFilter filter = LetterFilters.of(query);
        String order = query.text("order").orElse("newest");
        List<DeadLetter> found = switch (order) {
            case "newest" -> letters(request).newest(filter, query.cursor(Long.MAX_VALUE), limit);
            case "oldest" -> letters(request).oldest(filter, query.cursor(0), limit);
            default -> throw Problem.wrong("order", order, "must be newest or oldest");
        };
        return Answer.page(found, limit, letter -> summary(letter).done(), DeadLetter::id);
    }

    /** A letter without payload and history. */
    static Answer summary(DeadLetter letter) {
        return new Answer()
                .put("id", letter.id())
                .put("event_id", letter.event().id())
                .put("name", letter.event().name())
                .put("source", letter.event().source())
                .put("correlation_id", letter.event().correlationId())
                .put("abandoned_reason", letter.reason().code())
                .put("error_type", letter.errorType())
                .put("last_error", letter.lastError())
                .put("fingerprint", letter.fingerprint())
                .put("service_name", letter.service())
                .put("attempt_count", letter.attempts().failed())
                .put("redrives", letter.redrives())
                .put("edited", letter.originalPayload().isPresent())
                .put("timestamp", letter.deadAt());
    }

    @GetMapping("/api/v1/letters/count")
    Map<String, Object> count(HttpServletRequest request) {
        Query query = Query.of(request, LetterFilters.NAMES);
        return new Answer()
                .put("letters", letters(request).count(LetterFilters.of(query)))
                .done();
    }

    @GetMapping("/api/v1/letters/groups")
    Map<String, Object> groups(HttpServletRequest request) {
        Query query = Query.of(request, LetterFilters.names("limit"));
        List<LetterGroup> groups = letters(request).groups(LetterFilters.of(query), operations.limit(query));
        return Answer.list(
                groups,
                group -> new Answer()
                        .put("fingerprint", group.fingerprint())
                        .put("error_type", group.errorType())
                        .put("example", group.example())
                        .put("letters", group.count())
                        .put("names", group.names())
                        .put("first_dead", group.firstDead())
                        .put("last_dead", group.lastDead()));
    }

    /** One letter in the form of exports, with payload and history. */
    @GetMapping("/api/v1/letters/{id}")
    ResponseEntity<String> find(HttpServletRequest request, @PathVariable long id) {
        Query.of(request);
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .body(DeadLetterJson.write(found(request, id)));
    }

    private DeadLetter found(HttpServletRequest request, long id) {
        return letters(request).find(id).orElseThrow(() -> Problem.missing("dead letter", String.valueOf(id)));
    }

    @GetMapping("/api/v1/letters/{id}/versions")
    Map<String, Object> versions(HttpServletRequest request, @PathVariable long id) {
        Query.of(request);
        found(request, id);
        List<LetterVersion> versions = letters(request).versions(id);
        return Answer.list(
                versions,
                version -> new Answer()
                        .put("number", version.number())
                        .put("action", version.action())
                        .put("operator", version.operator())
                        .put("at", version.at())
                        .put("payload_base64", Base64.getEncoder().encodeToString(version.payload())));
    }

    /** Replaces the payload by the body, byte for byte. */
    @PutMapping("/api/v1/letters/{id}/payload")
    Map<String, Object> edit(HttpServletRequest request, @PathVariable long id, @RequestBody byte[] payload) {
        Query.of(request);
        if (!letters(request).edit(id, payload)) {
            throw Problem.missing("dead letter", String.valueOf(id));
        }
        return new Answer().put("id", id).put("result", "edited").done();
    }

    @PostMapping("/api/v1/letters/preview")
    Map<String, Object> preview(HttpServletRequest request, @RequestBody byte[] body) {
        Query.of(request);
        Preview preview = letters(request).preview(selection(body));
        return new Answer()
                .put("letters", preview.letters())
                .put("missing", preview.missing())
                .done();
    }

    @PostMapping("/api/v1/letters/purge")
    Map<String, Object> purge(HttpServletRequest request, @RequestBody byte[] body) {
        Query.of(request);
        Preview preview = letters(request).preview(selection(body));
        long purged = letters(request).purge(preview, done -> {});
        return new Answer().put("purged", purged).done();
    }

    private static LetterSelection selection(byte[] bytes) {
        Body body = Body.object(bytes);
        LetterSelection selection = LetterFilters.selection(body);
        body.done();
        return selection;
    }
}
