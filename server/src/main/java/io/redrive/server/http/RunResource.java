package io.redrive.server.http;

import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.operations.RunOperations;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Item runs and their reports. */
@RestController
class RunResource {

    private final CallerOperations operations;

    RunResource(CallerOperations operations) {
        this.operations = operations;
    }

    private RunOperations runs(HttpServletRequest request) {
        return operations.of(request).runs();
    }

    @GetMapping("/api/v1/runs")
    Map<String, Object> list(HttpServletRequest request) {
        Query query = Query.of(request, "pipeline", "limit");
        return Answer.list(runs(request).list(query.text("pipeline"), operations.limit(query)), RunResource::view);
    }

    @GetMapping("/api/v1/runs/{id}")
    Map<String, Object> find(HttpServletRequest request, @PathVariable String id) {
        Query.of(request);
        return view(found(request, id)).done();
    }

    private RunRecord found(HttpServletRequest request, String id) {
        return runs(request).find(id).orElseThrow(() -> Problem.missing("run", id));
    }

    private static Answer view(RunRecord run) {
        Balance balance = run.balance();
        return new Answer()
                .put("run", run.id())
                .put("pipeline", run.pipeline())
                .put("stages", run.definition().stages())
                .put("status", run.status().code())
                .put("in", balance.in())
                .put("succeeded", balance.succeeded())
                .put("skipped", balance.skipped())
                .put("dead", balance.dead())
                .put("not_started", balance.notStarted())
                .put("begun", balance.begun())
                .put("workers", run.workers())
                .put("created", run.created())
                .put("updated", run.updated())
                .put("ended", run.endedAt())
                .put("worked_ms", run.worked().toMillis());
    }

    @GetMapping("/api/v1/runs/{id}/report")
    ResponseEntity<String> report(HttpServletRequest request, @PathVariable String id) {
        Query.of(request);
        String json = runs(request)
                .report(id)
                .orElseThrow(() -> Problem.missing("run", id))
                .json();
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(json);
    }

    @GetMapping("/api/v1/runs/{id}/dead")
    Map<String, Object> dead(HttpServletRequest request, @PathVariable String id) {
        Query query = Query.of(request, "stage", "limit");
        found(request, id);
        DeadFilter filter = stage(DeadFilter.ofRun(id), query.text("stage").orElse(""));
        return Answer.list(runs(request).dead(filter, operations.limit(query)), RunResource::dead);
    }

    private static DeadFilter stage(DeadFilter filter, String stage) {
        return stage.isEmpty() ? filter : filter.atStage(stage);
    }

    private static Answer dead(DeadSample dead) {
        return new Answer()
                .put("sample", dead.sample().id())
                .put("ordinal", dead.sample().ordinal())
                .put("stage", dead.stage())
                .put("reason", dead.death().reason().code())
                .put("error_type", dead.death().errorType())
                .put("message", dead.death().message())
                .put("at", dead.death().at())
                .put(
                        "payload",
                        dead.sample().hasBytes() ? new String(dead.sample().bytes(), StandardCharsets.UTF_8) : null);
    }

    @GetMapping("/api/v1/runs/{id}/samples/{ordinal}/attempts")
    Map<String, Object> attempts(HttpServletRequest request, @PathVariable String id, @PathVariable long ordinal) {
        Query.of(request);
        found(request, id);
        return Answer.list(runs(request).attempts(id, ordinal), RunResource::attempt);
    }

    private static Answer attempt(StageAttempt attempt) {
        return new Answer()
                .put("stage", attempt.stage())
                .put("attempt", attempt.attempt())
                .put("status", attempt.status().code())
                .put("error_type", attempt.errorType())
                .put("message", attempt.message())
                .put("delay_ms", attempt.delay())
                .put("duration_ms", attempt.duration())
                .put("at", attempt.at());
    }

    @PostMapping("/api/v1/runs/{id}/reprocess")
    Map<String, Object> reprocess(HttpServletRequest request, @PathVariable String id, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        DeadFilter filter = stage(DeadFilter.ofRun(id), body.text("stage").orElse(""));
        body.done();
        found(request, id);
        return new Answer().put("samples", runs(request).reprocess(filter)).done();
    }

    @PostMapping("/api/v1/runs/{id}/cancel")
    Map<String, Object> cancel(HttpServletRequest request, @PathVariable String id) {
        Query.of(request);
        if (!runs(request).cancel(id)) {
            throw Problem.missing("run that goes on", id);
        }
        return view(found(request, id)).done();
    }

    @DeleteMapping("/api/v1/runs/{id}")
    Map<String, Object> delete(HttpServletRequest request, @PathVariable String id) {
        Query.of(request);
        if (!runs(request).delete(id)) {
            throw Problem.missing("run", id);
        }
        return new Answer().put("run", id).put("result", "deleted").done();
    }
}
