package io.redrive.cli.demo;

import io.redrive.cli.command.Context;
import io.redrive.items.JsonLines;
import io.redrive.items.RunSettings;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunStore;
import io.redrive.pipelinefiles.PipelineFile;
import io.redrive.pipelinefiles.PipelinePlan;
import io.redrive.pipelinefiles.RunContext;
import io.redrive.pipelinefiles.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An item run beside the events of the demo: articles through a model-like service. The run stops with the demo. */
final class DemoItems implements AutoCloseable {

    /** More articles than the service answers during a demo, so that the run is in progress whenever a user looks. */
    private static final int ARTICLES = 20_000;

    private final DemoModel model;
    private final RunStore store;
    private final PipelinePlan plan;
    private final Run run;
    private final StopSignal stop;

    private DemoItems(DemoModel model, RunStore store, PipelinePlan plan, Run run, StopSignal stop) {
        this.model = model;
        this.store = store;
        this.plan = plan;
        this.run = run;
        this.stop = stop;
    }

    /**
     * Starts a run.
     *
     * @param address the store of the run
     * @param folder receives the files of the run
     */
    static DemoItems start(Context context, String address, Path folder, boolean fixed) throws IOException {
        DemoModel model = new DemoModel(0, fixed, context.time());
        try {
            return start(context, address, folder, model);
        } catch (IOException | RuntimeException e) {
            model.close();
            throw e;
        }
    }

    private static DemoItems start(Context context, String address, Path folder, DemoModel model) throws IOException {
        Path articles = folder.resolve("articles.jsonl");
        Path pipeline = folder.resolve("pipeline.yml");
        DemoArticles.write(articles, ARTICLES);
        Files.writeString(pipeline, DemoArticles.pipeline(model.port()));
        StopSignal stop = new StopSignal();
        PipelinePlan plan = PipelineFile.read(pipeline, new RunContext(context.environment(), context.time(), stop));
        RunStore store = null;
        try {
            store = context.stores().createRuns(address);
            Run run = Run.of(plan.pipeline(), store)
                    .id("demo-" + context.time().now().getEpochSecond())
                    .from(plan.source(articles))
                    .to(JsonLines.sink(folder.resolve("summaries.jsonl")))
                    .settings(RunSettings.STANDARD)
                    .node("process-" + ProcessHandle.current().pid())
                    .time(context.time())
                    .build();
            stop.then(run::stop);
            return new DemoItems(model, store, plan, run.start(), stop);
        } catch (RuntimeException e) {
            plan.close();
            if (store != null) {
                store.close();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        stop.raise();
        run.close();
        plan.close();
        store.close();
        model.close();
    }
}
