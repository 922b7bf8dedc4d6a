package io.redrive.pipelinefiles;

import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Stage;
import io.redrive.items.StatusThresholds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * Reads a pipeline file. All settings are checked before any stage runs.
 *
 * <pre>{@code
 * RunContext context = new RunContext(System.getenv(), Time.system(), new StopSignal());
 * try (PipelinePlan plan = PipelineFile.read(Path.of("summaries.yml"), context)) {
 *     Run.of(plan.pipeline(), store).from(plan.source(input)).to(JsonLines.sink(output)).run();
 * }
 * }</pre>
 */
public final class PipelineFile {

    private static final int MAX_PAYLOAD_LIMIT = 1 << 30;

    private final Path file;
    private final RunContext context;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private PipelineFile(Path file, RunContext context) {
        this.file = file;
        this.context = context;
    }

    /**
     * Reads the pipeline that the file describes.
     *
     * @throws IllegalArgumentException when the file has a mistake; the message has file, line, key, rule and value
     */
    public static PipelinePlan read(Path file, RunContext context) {
        YamlValue top = YamlFile.top(file, "the pipeline file")
                .orElseThrow(() -> new IllegalArgumentException(file + ": must have a list of 'stages', got nothing"));
        return new PipelineFile(file, context).plan(new YamlSection(top));
    }

    private PipelinePlan plan(YamlSection top) {
        String name = top.get("name", text -> text, nameOf(file));
        Optional<JsonPointer> id = top.find("id").map(value -> value.as(Parse::pointer));
        int maxPayload = top.get("max-payload", PipelineFile::payload, ItemPipeline.DEFAULT_MAX_PAYLOAD);
        FailureBudget budget =
                top.find("failure-budget").map(PipelineFile::budget).orElse(FailureBudget.STANDARD);
        StatusThresholds thresholds =
                top.find("status").map(PipelineFile::thresholds).orElse(StatusThresholds.STANDARD);
        Optional<InputFormat> format = top.find("format").map(value -> value.as(InputFormat::of));
        int earlyStop = top.get("early-stop", PipelineFile::earlyStop, ItemPipeline.DEFAULT_EARLY_STOP);
        YamlValue stages = top.required("stages", "a list of http, command and filter");
        top.done();
        ItemPipeline.Builder<String, String> pipeline;
        try {
            pipeline = ItemPipeline.named(name, Codec.text())
                    .failureBudget(budget)
                    .thresholds(thresholds)
                    .maxPayload(maxPayload);
            pipeline = earlyStop == 0 ? pipeline.withoutEarlyStop() : pipeline.earlyStop(earlyStop);
        } catch (IllegalArgumentException e) {
            throw top.value().wrong(e.getMessage(), e);
        }
        addStages(stages, pipeline, maxPayload);
        return new PipelinePlan(pipeline.build(), new PipelinePlan.Input(format, id), warnings, resources);
    }

    private void addStages(YamlValue stages, ItemPipeline.Builder<String, String> pipeline, int maxPayload) {
        List<YamlValue> items = stages.items();
        if (items.isEmpty()) {
            throw stages.wrong("must have at least one stage");
        }
        Path folder = file.toAbsolutePath().resolveSibling("");
        for (YamlValue item : items) {
            StageReader reader = new StageReader(new StageSection(new YamlSection(item), folder, context, maxPayload));
            Stage<String, String> stage = reader.read();
            resources.addAll(reader.resources());
            warnings.addAll(reader.warnings());
            try {
                pipeline.stage(stage);
            } catch (IllegalArgumentException e) {
                throw item.wrong(e.getMessage(), e);
            }
        }
    }

    /** Returns the name of the file without its ending: {@code summaries} for {@code summaries.yml}. */
    private static String nameOf(Path file) {
        return file.getFileName().toString().replaceFirst("\\.[^.]*$", "").replaceAll("[^A-Za-z0-9._-]", "-");
    }

    private static int payload(String text) {
        long bytes = Parse.bytes(text);
        if (bytes < 1 || bytes > MAX_PAYLOAD_LIMIT) {
            throw new RuleException("must be between 1 byte and 1GiB");
        }
        return (int) bytes;
    }

    /** Reads a number of calls, or {@code off}, which YAML may have turned into {@code false}; returns 0 for off. */
    private static int earlyStop(String text) {
        try {
            return text.equals("off") || text.equals("false") ? 0 : Parse.count(text);
        } catch (IllegalArgumentException e) {
            throw new RuleException("must be a whole number of calls of at least 1, or off", e);
        }
    }

    private static FailureBudget budget(YamlValue value) {
        if (!value.isMapping()) {
            return value.as(text -> FailureBudget.of(Parse.share(text)));
        }
        YamlSection section = new YamlSection(value);
        double share = section.get("share", Parse::share, FailureBudget.STANDARD.share());
        int every = section.get("every", Parse::count, FailureBudget.STANDARD.every());
        section.done();
        return FailureBudget.of(share).checkedEvery(every);
    }

    private static StatusThresholds thresholds(YamlValue value) {
        YamlSection section = new YamlSection(value);
        double completed = section.get("completed", Parse::share, StatusThresholds.STANDARD.completed());
        double partial = section.get("partial", Parse::share, StatusThresholds.STANDARD.partial());
        section.done();
        try {
            return new StatusThresholds(completed, partial);
        } catch (IllegalArgumentException e) {
            throw value.wrong(e.getMessage(), e);
        }
    }
}
