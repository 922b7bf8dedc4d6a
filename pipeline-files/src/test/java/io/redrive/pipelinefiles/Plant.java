package io.redrive.pipelinefiles;

import io.redrive.core.Time;
import io.redrive.items.Sink;
import io.redrive.items.run.Run;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.StageAttempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Runs pipeline files over a few samples, with a store in memory. */
final class Plant {

    static final String RUN = "test-run";

    final InMemoryRunStore store = new InMemoryRunStore();
    final StopSignal stop = new StopSignal();
    private final Path folder;
    private final Map<String, String> environment;
    final List<String> output = Collections.synchronizedList(new ArrayList<>());

    @SuppressWarnings("NullAway.Init") // Set by run.
    RunRecord end;

    Plant(Path folder) {
        this(folder, Map.of("PATH", System.getenv("PATH")));
    }

    Plant(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /** Returns the plan of the pipeline file with this text; the name of the pipeline is {@code test}. */
    PipelinePlan plan(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("test.yml"), yaml);
        return PipelineFile.read(file, new RunContext(environment, Time.system(), stop));
    }

    /** Runs the pipeline over these samples until every sample has an end. */
    Plant run(String yaml, String... samples) throws IOException {
        Path input = Files.write(folder.resolve("in.jsonl"), List.of(samples));
        try (PipelinePlan plan = plan(yaml)) {
            end = Run.of(plan.pipeline(), store)
                    .id(RUN)
                    .from(plan.source(input))
                    .to(Sink.each(result -> output.add(result.value())))
                    .run();
        }
        return this;
    }

    List<DeadSample> dead() {
        return store.archive().dead(DeadFilter.ALL, 1_000);
    }

    List<StageAttempt> attempts(long ordinal) {
        return store.archive().attempts(RUN, ordinal);
    }
}
