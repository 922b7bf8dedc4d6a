package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.WorkerRecord;
import io.redrive.operations.RunOperations;
import java.util.List;
import java.util.Optional;

/** {@link RunOperations} of a server. */
final class RemoteRuns implements RunOperations {

    private final Api api;

    RemoteRuns(Api api) {
        this.api = api;
    }

    @Override
    public List<RunRecord> list(Optional<String> pipeline, Optional<String> after, int limit) {
        ApiPath path = ApiPath.of("runs")
                .with("pipeline", pipeline)
                .with("limit", limit)
                .with("cursor", after);
        return api.get(path).list("items", RunShapes::run);
    }

    @Override
    public Optional<RunRecord> find(String run) {
        return api.find(ApiPath.of("runs", run)).map(RunShapes::run);
    }

    @Override
    public List<WorkerRecord> workers(String run) {
        return api.find(ApiPath.of("runs", run, "workers"))
                .map(found -> found.list("items", each -> RunShapes.worker(run, each)))
                .orElse(List.of());
    }

    @Override
    public List<DeadSample> dead(DeadFilter filter, int limit) {
        return api.find(dead(filter).with("limit", limit))
                .map(found -> found.list("items", RunShapes::dead))
                .orElse(List.of());
    }

    private static ApiPath dead(DeadFilter filter) {
        String run =
                filter.run().orElseThrow(() -> new IllegalArgumentException("a server lists dead samples of one run"));
        ApiPath path = ApiPath.of("runs", run, "dead");
        return path.with("stage", filter.stage())
                .with("error_type", filter.errorType())
                .with("since", filter.since())
                .with("until", filter.until())
                .with("cursor", filter.after().map(last -> last.sample().ordinal()));
    }

    @Override
    public Optional<SampleRecord> sample(String run, long ordinal) {
        return api.find(ApiPath.of("runs", run, "samples", ordinal)).map(RunShapes::sample);
    }

    @Override
    public Optional<SampleRecord> sampleById(String run, String id) {
        return api.find(ApiPath.of("runs", run, "sample").with("id", id)).map(RunShapes::sample);
    }

    @Override
    public List<StageAttempt> attempts(String run, long ordinal) {
        return api.find(ApiPath.of("runs", run, "samples", ordinal, "attempts"))
                .map(found -> found.list("items", RunShapes::attempt))
                .orElse(List.of());
    }

    @Override
    public Optional<RunReport> report(String run) {
        return find(run)
                .flatMap(found ->
                        api.find(ApiPath.of("runs", run, "report")).map(report -> RunShapes.report(found, report)));
    }

    @Override
    public long reprocess(DeadFilter filter) {
        JsonObject body = new JsonObject()
                .put("stage", filter.stage().orElse(null))
                .put("error_type", filter.errorType().orElse(null))
                .put("since", filter.since().orElse(null))
                .put("until", filter.until().orElse(null));
        ApiPath path = filter.run()
                .map(run -> ApiPath.of("runs", run, "reprocess"))
                .orElseGet(() -> {
                    body.put("pipeline", filter.pipeline().orElse(null));
                    return ApiPath.of("runs", "reprocess");
                });
        return api.change("POST", path, body)
                .map(found -> found.number("samples"))
                .orElse(0L);
    }

    @Override
    public boolean cancel(String run) {
        return api.change("POST", ApiPath.of("runs", run, "cancel"), new JsonObject())
                .isPresent();
    }

    @Override
    public boolean delete(String run) {
        return api.change("DELETE", ApiPath.of("runs", run), new JsonObject()).isPresent();
    }
}
