package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedrivenLetter;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.RedriveOperations;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Redrive operations: a preview is made, then started; nodes carry it on. */
@RestController
class RedriveResource {

    private final CallerOperations operations;

    RedriveResource(CallerOperations operations) {
        this.operations = operations;
    }

    private RedriveOperations redrives(HttpServletRequest request) {
        Query.of(request);
        return operations.of(request).redrives();
    }

    @PostMapping("/api/v1/redrives")
    Map<String, Object> preview(HttpServletRequest request, @RequestBody byte[] bytes) {
        Body body = Body.object(bytes);
        LetterSelection letters = LetterFilters.redriveSelection(body);
        RedrivePlan plan = plan(body);
        boolean start = body.isTrue("start");
        body.done();
        RedriveOperation preview = redrives(request).preview(letters, plan);
        return view(start ? redrives(request).start(preview.id()) : preview).done();
    }

    /** Tells what a redrive would take and leave out. The store stays unchanged. */
    @PostMapping("/api/v1/redrives/look")
    Map<String, Object> look(HttpServletRequest request, @RequestBody byte[] bytes) {
        RedriveOperations redrives = redrives(request);
        Body body = Body.object(bytes);
        LetterSelection letters = LetterFilters.redriveSelection(body);
        body.done();
        return LetterFilters.view(redrives.look(letters))
                .put("left_out", redrives.leftOut(letters))
                .put("overtaken", redrives.overtaken(letters))
                .done();
    }

    static RedrivePlan plan(Body body) {
        RedrivePlan chosen = body.isTrue("canary") ? RedrivePlan.CANARY : RedrivePlan.ALL_AT_ONCE;
        RedrivePlan limited = body.value("stage_limit", DurationText::parse)
                .map(chosen::withStageLimit)
                .orElse(chosen);
        return body.node("per_second")
                .map(RedriveResource::number)
                .map(limited::withPerSecond)
                .orElse(limited);
    }

    private static double number(JsonNode node) {
        if (!node.isNumber()) {
            throw Problem.wrong("per_second", node.toString(), "must be a number");
        }
        return node.asDouble();
    }

    static Answer view(RedriveOperation operation) {
        RedriveCounts counts = operation.counts();
        Answer answer = new Answer()
                .put("id", operation.id())
                .put("operator", operation.command().operator())
                .put("origin", operation.command().origin())
                .put("letters", operation.command().about())
                .put("state", operation.state().code())
                .put("progress", operation.outcome());
        if (operation.state() instanceof RedriveState.Halted halted) {
            answer.put("why", halted.why()).put("fingerprints", new TreeSet<>(halted.fingerprints()));
        }
        return answer.put("canary", operation.plan().isCanary())
                .put("stages", operation.plan().stages())
                .put("stage", operation.pace().stage() + 1)
                .put("per_second", operation.plan().perSecond())
                .put("stage_limit_ms", operation.plan().stageLimit())
                .put("selected", counts.selected())
                .put("redriven", counts.redriven())
                .put("done", counts.done())
                .put("dead_again", counts.deadAgain())
                .put("under_way", counts.underWay())
                .put("gone", counts.gone())
                .put("pending", counts.pending())
                .put("causes", operation.causes().selected())
                .put("returned", operation.causes().returned())
                .put("created", operation.times().created())
                .put("started", operation.times().started())
                .put("ended", operation.times().ended())
                .put("changed", operation.times().changed())
                .put("runner", operation.runner());
    }

    @GetMapping("/api/v1/redrives")
    Map<String, Object> list(HttpServletRequest request) {
        Query query = Query.of(request, "limit");
        return Answer.list(operations.of(request).redrives().list(operations.limit(query)), RedriveResource::view);
    }

    @GetMapping("/api/v1/redrives/{id}")
    Map<String, Object> find(HttpServletRequest request, @PathVariable String id) {
        return view(redrives(request).find(id).orElseThrow(() -> Problem.missing("redrive operation", id)))
                .done();
    }

    @GetMapping("/api/v1/redrives/{id}/letters")
    Map<String, Object> letters(HttpServletRequest request, @PathVariable String id) {
        Query query = Query.of(request, "limit", "cursor");
        int limit = operations.limit(query);
        List<RedrivenLetter> letters = operations.of(request).redrives().letters(id, query.cursor(0), limit);
        return Answer.page(
                letters,
                limit,
                letter -> new Answer()
                        .put("letter", letter.letter())
                        .put("event_id", letter.eventId())
                        .put("result", letter.result().code())
                        .put("fingerprint", letter.cause())
                        .done(),
                RedrivenLetter::letter);
    }

    @PostMapping("/api/v1/redrives/{id}/start")
    Map<String, Object> start(HttpServletRequest request, @PathVariable String id) {
        return view(redrives(request).start(id)).done();
    }

    @PostMapping("/api/v1/redrives/{id}/pause")
    Map<String, Object> pause(HttpServletRequest request, @PathVariable String id) {
        return view(redrives(request).pause(id)).done();
    }

    @PostMapping("/api/v1/redrives/{id}/resume")
    Map<String, Object> resume(HttpServletRequest request, @PathVariable String id) {
        return view(redrives(request).resume(id)).done();
    }

    @PostMapping("/api/v1/redrives/{id}/cancel")
    Map<String, Object> cancel(HttpServletRequest request, @PathVariable String id) {
        return view(redrives(request).cancel(id)).done();
    }

    @DeleteMapping("/api/v1/redrives/{id}")
    Map<String, Object> dismiss(HttpServletRequest request, @PathVariable String id) {
        return view(redrives(request).dismiss(id)).done();
    }
}
