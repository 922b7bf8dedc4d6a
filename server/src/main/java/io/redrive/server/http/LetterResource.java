package io.redrive.server.http;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.events.redaction.Redaction;
import io.redrive.operations.GeneratedTest;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Preview;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.util.RawValue;

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
        Query query = Query.of(request, LetterFilters.names("order", "form", "limit", "cursor"));
        int limit = operations.limit(query);
        LetterFilter filter = LetterFilters.of(query);
        String order = query.text("order").orElse("newest");
        String form = query.text("form").orElse("summary");
        if (!List.of("summary", "whole", "history").contains(form)) {
            throw Problem.wrong("form", form, "must be summary, whole (with payload) or history (with attempts too)");
        }
        List<DeadLetter> found = switch (order) {
            case "newest" -> newest(letters(request), filter, query.cursor(Long.MAX_VALUE), limit, form);
            case "oldest" ->
                form.equals("history")
                        ? letters(request).oldestWithHistory(filter, query.cursor(0), limit)
                        : letters(request).oldest(filter, query.cursor(0), limit);
            default -> throw Problem.wrong("order", order, "must be newest or oldest");
        };
        return Answer.page(
                found,
                limit,
                letter -> form.equals("summary") ? summary(letter).done() : new RawValue(DeadLetterJson.write(letter)),
                DeadLetter::id);
    }

    private static List<DeadLetter> newest(
            LetterOperations letters, LetterFilter filter, long before, int limit, String form) {
        if (form.equals("history")) {
            throw Problem.wrong("form", form, "must be summary or whole with the order newest");
        }
        return letters.newest(filter, before, limit);
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
                        .put("command", version.command())
                        .put("operator", version.operator())
                        .put("at", version.at())
                        .put("payload_base64", Base64.getEncoder().encodeToString(version.payload())));
    }

    /** Compares a letter with handled events of its name. */
    @GetMapping("/api/v1/letters/{id}/differences")
    Map<String, Object> differences(HttpServletRequest request, @PathVariable long id) {
        Query.of(request);
        return letters(request)
                .differences(id)
                .map(DifferenceView::of)
                .orElseThrow(() -> Problem.missing("dead letter", String.valueOf(id)))
                .done();
    }

    /** A JUnit test that fails as the letter did. */
    @GetMapping("/api/v1/letters/{id}/test")
    Map<String, Object> test(HttpServletRequest request, @PathVariable long id) {
        Query query = Query.of(request, "package");
        GeneratedTest test = letters(request)
                .test(id, query.text("package").orElse(""), Redaction.NONE)
                .orElseThrow(() -> Problem.missing("dead letter", String.valueOf(id)));
        return new Answer()
                .put("file", test.fileName())
                .put("source", test.source())
                .put("payload_file", test.payload().map(bytes -> test.payloadName()))
                .put("payload_base64", test.payload().map(Base64.getEncoder()::encodeToString))
                .done();
    }

    /** Replaces the payload by the body, byte for byte. */
    @PutMapping("/api/v1/letters/{id}/payload")
    Map<String, Object> edit(
            HttpServletRequest request,
            @PathVariable long id,
            @RequestBody(required = false) byte @Nullable [] payload) {
        boolean unchecked = Query.of(request, "unchecked").isTrue("unchecked");
        byte[] bytes = payload == null ? new byte[0] : payload;
        LetterOperations letters = letters(request);
        if (!(unchecked ? letters.editUnchecked(id, bytes) : letters.edit(id, bytes))) {
            throw Problem.missing("dead letter", String.valueOf(id));
        }
        return new Answer().put("id", id).put("result", "edited").done();
    }

    @PostMapping("/api/v1/letters/preview")
    Map<String, Object> preview(HttpServletRequest request, @RequestBody byte[] body) {
        Query.of(request);
        Preview preview = letters(request).preview(selection(body));
        return LetterFilters.view(preview).done();
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
