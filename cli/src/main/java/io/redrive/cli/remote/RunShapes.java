package io.redrive.cli.remote;

import io.redrive.core.Reason;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Lease;
import io.redrive.items.store.Percentiles;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Throughput;
import io.redrive.items.store.Totals;
import io.redrive.items.store.WorkerRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Item runs as the API has them. What only a working process needs, such as the place of the reader, is not in the API. */
final class RunShapes {

    private RunShapes() {}

    static RunRecord run(Fields fields) {
        long processed = fields.number("succeeded") + fields.number("skipped") + fields.number("dead");
        Map<String, Duration> pauses = new HashMap<>();
        fields.counts("pauses_ms").forEach((stage, millis) -> pauses.put(stage, Duration.ofMillis(millis)));
        return new RunRecord(
                new RunDefinition(
                        fields.text("run"), fields.text("pipeline"), fields.texts("stages"), fields.text("origin")),
                fields.text("status", RunStatus::of),
                new Totals(
                        processed + fields.number("begun"),
                        fields.number("succeeded"),
                        fields.number("skipped"),
                        fields.number("dead"),
                        false,
                        OptionalLong.of(fields.number("in"))),
                0,
                fields.time("created"),
                fields.time("updated"),
                fields.optionalTime("ended").orElse(null),
                fields.millis("worked_ms"),
                0,
                fields.integer("workers"),
                0,
                0,
                pauses);
    }

    static WorkerRecord worker(String run, Fields fields) {
        return new WorkerRecord(new Lease(run, fields.number("token")), fields.text("node"), fields.time("until"));
    }

    static DeadSample dead(Fields fields) {
        return new DeadSample(
                fields.text("run"),
                fields.text("pipeline"),
                fields.text("stage"),
                new SampleRecord(
                        fields.number("ordinal"),
                        fields.text("sample"),
                        SampleState.DEAD,
                        fields.integer("stage_index"),
                        progress(fields),
                        payload(fields),
                        false,
                        death(fields)));
    }

    static SampleRecord sample(Fields fields) {
        return new SampleRecord(
                fields.number("ordinal"),
                fields.text("sample"),
                fields.constant("state", SampleState.class),
                fields.integer("stage_index"),
                progress(fields),
                payload(fields),
                false,
                fields.has("reason") ? death(fields) : null);
    }

    private static SampleRecord.Progress progress(Fields fields) {
        return new SampleRecord.Progress(fields.integer("attempts"), 0, null, Duration.ZERO, null);
    }

    private static SampleRecord.Payload payload(Fields fields) {
        return SampleRecord.Payload.of(fields.has("payload_base64") ? fields.base64("payload_base64") : null);
    }

    private static SampleRecord.Death death(Fields fields) {
        return new SampleRecord.Death(
                fields.text("reason", Reason::of),
                fields.text("error_type"),
                fields.text("message"),
                fields.time("at"));
    }

    static StageAttempt attempt(Fields fields) {
        return new StageAttempt(
                fields.number("ordinal"),
                fields.integer("sequence"),
                fields.text("stage"),
                fields.text("stage_config_hash"),
                fields.integer("attempt"),
                fields.constant("status", AttemptStatus.class),
                fields.text("error_type"),
                fields.text("message"),
                fields.millis("delay_ms"),
                fields.millis("duration_ms"),
                fields.time("at"));
    }

    /** Reads a report, which the server gives without the run itself. */
    static RunReport report(RunRecord run, Fields fields) {
        SortedMap<Integer, Long> retries = new TreeMap<>();
        fields.list("retries", bar -> Map.entry(bar.integer("retries"), bar.number("samples")))
                .forEach(bar -> retries.put(bar.getKey(), bar.getValue()));
        return new RunReport(
                run,
                retries,
                fields.list("errors", RunShapes::error),
                fields.list("stages", RunShapes::stage),
                fields.list("costs", RunShapes::spending),
                new RunReport.Pace(
                        Duration.ofMillis(fields.number("interval_ms")),
                        fields.list("throughput", RunShapes::throughput)),
                fields.list("dead", dead -> deadOf(run, dead)));
    }

    private static ErrorCount error(Fields fields) {
        return new ErrorCount(
                fields.text("stage"),
                fields.text("error_type"),
                fields.text("message"),
                fields.number("attempts"),
                fields.number("dead"));
    }

    private static StageCounts stage(Fields fields) {
        return new StageCounts(
                fields.text("stage"),
                fields.number("success"),
                fields.number("retrying"),
                fields.number("failed"),
                fields.number("skipped"),
                fields.millis("mean_ms").multipliedBy(fields.number("attempts")),
                new Percentiles(fields.millis("p50_ms"), fields.millis("p95_ms"), fields.millis("p99_ms")));
    }

    private static StageSpending spending(Fields fields) {
        return new StageSpending(
                fields.text("stage"),
                fields.text("unit"),
                fields.optional("price", Price::parse),
                fields.number("reported"),
                fields.number("estimated"));
    }

    private static Throughput throughput(Fields fields) {
        return new Throughput(
                fields.time("from"), fields.number("succeeded"), fields.number("skipped"), fields.number("dead"));
    }

    private static DeadSample deadOf(RunRecord run, Fields fields) {
        return new DeadSample(
                run.id(),
                run.pipeline(),
                fields.text("stage"),
                new SampleRecord(
                        fields.number("ordinal"),
                        fields.text("sample"),
                        SampleState.DEAD,
                        run.definition().stages().indexOf(fields.text("stage")),
                        SampleRecord.Progress.NONE,
                        SampleRecord.Payload.NONE,
                        false,
                        death(fields)));
    }
}
