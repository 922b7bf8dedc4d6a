package io.redrive.server.http;

import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import io.redrive.operations.RunOperations;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
        Query query = Query.of(request, "pipeline", "limit", "cursor");
        int limit = operations.limit(query);
        Optional<String> after = query.text("cursor");
        if (after.isPresent() && runs(request).find(after.get()).isEmpty()) {
            throw Problem.wrong("cursor", after.get(), "must be the id of a run, as the page before gave it");
        }
        return Answer.pageByText(
                runs(request).list(query.text("pipeline"), after, limit), limit, RunResource::view, RunRecord::id);
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
                .put("origin", run.definition().origin())
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
                .put("worked_ms", run.worked())
                .put("pauses_ms", pauses(run));
    }

    private static Map<String, Long> pauses(RunRecord run) {
        Map<String, Long> pauses = new TreeMap<>();
        run.pauses().forEach((stage, duration) -> pauses.put(stage, duration.toMillis()));
        return pauses;
    }

    @GetMapping("/api/v1/runs/{id}/workers")
    Map<String, Object> workers(HttpServletRequest request, @PathVariable String id) {
        Query.of(request);
        found(request, id);
        return Answer.list(
                runs(request).workers(id),
                worker -> new Answer()
                        .put("node", worker.node())
                        .put("token", worker.lease().token())
                        .put("until", worker.until()));
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
        Query query = Query.of(request, "stage", "error_type", "since", "until", "limit", "cursor");
        found(request, id);
        int limit = operations.limit(query);
        DeadFilter narrowed = narrowed(
                DeadFilter.ofRun(id),
                query.text("stage"),
                query.text("error_type"),
                query.time("since"),
                query.time("until"));
        DeadFilter filter = query.value("cursor", Long::parseLong)
                .map(ordinal -> narrowed.after(last(request, id, ordinal)))
                .orElse(narrowed);
        return Answer.page(
                runs(request).dead(filter, limit),
                limit,
                dead -> dead(dead).done(),
                dead -> dead.sample().ordinal());
    }

    /** Returns the last dead sample of the page before. */
    private DeadSample last(HttpServletRequest request, String run, long ordinal) {
        SampleRecord sample = runs(request)
                .sample(run, ordinal)
                .filter(found -> found.state() == SampleState.DEAD)
                .orElseThrow(() -> Problem.wrong("cursor", String.valueOf(ordinal), "must be that of a dead sample"));
        return new DeadSample(run, "", "", sample);
    }

    private static DeadFilter narrowed(
            DeadFilter filter,
            Optional<String> stage,
            Optional<String> errorType,
            Optional<Instant> since,
            Optional<Instant> until) {
        DeadFilter narrowed = stage.map(filter::atStage).orElse(filter);
        narrowed = errorType.map(narrowed::withErrorType).orElse(narrowed);
        narrowed = since.map(narrowed::since).orElse(narrowed);
        return until.map(narrowed::until).orElse(narrowed);
    }

    private static Answer dead(DeadSample dead) {
        return sample(
                        new Answer()
                                .put("run", dead.run())
                                .put("pipeline", dead.pipeline())
                                .put("stage", dead.stage()),
                        dead.sample())
                .put(
                        "payload",
                        dead.sample().hasBytes() ? new String(dead.sample().bytes(), StandardCharsets.UTF_8) : null);
    }

    private static Answer sample(Answer answer, SampleRecord sample) {
        answer.put("sample", sample.id())
                .put("ordinal", sample.ordinal())
                .put("state", sample.state().code())
                .put("stage_index", sample.stage())
                .put("attempts", sample.progress().failed())
                .put("payload_base64", sample.hasBytes() ? Base64.getEncoder().encodeToString(sample.bytes()) : null);
        SampleRecord.Death death = sample.death();
        return death == null
                ? answer
                : answer.put("reason", death.reason().code())
                        .put("error_type", death.errorType())
                        .put("message", death.message())
                        .put("at", death.at());
    }

    @GetMapping("/api/v1/runs/{id}/samples/{ordinal}")
    Map<String, Object> sample(HttpServletRequest request, @PathVariable String id, @PathVariable long ordinal) {
        Query.of(request);
        return shown(request, id, runs(request).sample(id, ordinal), String.valueOf(ordinal));
    }

    @GetMapping("/api/v1/runs/{id}/sample")
    Map<String, Object> sampleById(HttpServletRequest request, @PathVariable String id) {
        String sample = Query.of(request, "id")
                .text("id")
                .orElseThrow(() -> Problem.wrong("id", null, "must be the id of a sample"));
        return shown(request, id, runs(request).sampleById(id, sample), sample);
    }

    private Map<String, Object> shown(
            HttpServletRequest request, String id, Optional<SampleRecord> sample, String named) {
        RunRecord run = found(request, id);
        SampleRecord found = sample.orElseThrow(() -> Problem.missing("sample", named));
        return sample(new Answer().put("run", id).put("stage", run.definition().stageAt(found.stage())), found)
                .done();
    }

    @GetMapping("/api/v1/runs/{id}/samples/{ordinal}/attempts")
    Map<String, Object> attempts(HttpServletRequest request, @PathVariable String id, @PathVariable long ordinal) {
        Query.of(request);
        found(request, id);
        return Answer.list(runs(request).attempts(id, ordinal), RunResource::attempt);
    }

    private static Answer attempt(StageAttempt attempt) {
        return new Answer()
                .put("ordinal", attempt.ordinal())
                .put("sequence", attempt.sequence())
                .put("stage", attempt.stage())
                .put("stage_config_hash", attempt.configHash())
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
        DeadFilter filter = narrowed(DeadFilter.ofRun(id), body);
        body.done();
        found(request, id);
        return new Answer().put("samples", runs(request).reprocess(filter)).done();
    }

    private static DeadFilter narrowed(DeadFilter filter, Body body) {
        return narrowed(filter, body.text("stage"), body.text("error_type"), body.time("since"), body.time("until"));
    }

    /** Brings dead samples of all runs of a pipeline back. */
    @PostMapping("/api/v1/runs/reprocess")
    Map<String, Object> reprocess(HttpServletRequest request, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        DeadFilter filter = narrowed(DeadFilter.ofPipeline(body.requiredText("pipeline")), body);
        body.done();
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
