package io.redrive.cli;

import io.redrive.items.store.RunStore;
import io.redrive.pipelinefiles.PipelineFile;
import io.redrive.pipelinefiles.PipelinePlan;
import io.redrive.pipelinefiles.StopSignal;
import java.io.IOException;

/** Goes on with a run by its id, with the files that it remembers. */
record Resumption(ConsoleCommand console, RunStore store, String address) {

    int resume(String id, RunTask.Wishes wishes) throws IOException {
        RunFiles files = RunFiles.of(
                RunText.find(store.archive(), id, console.context.time().now()));
        StopSignal stop = new StopSignal();
        PipelineFile.Surroundings surroundings =
                new PipelineFile.Surroundings(System.getenv(), console.context.time(), stop);
        try (PipelinePlan plan = PipelineFile.read(files.pipeline(), surroundings)) {
            files.check();
            plan.check(files.input());
            plan.warnings().forEach(warning -> console.note("warning: " + warning));
            try (StopHook hook = new StopHook(stop::raise, RunCommand.STOP_LIMIT);
                    LogFile log = new LogFile(JdbcStores.logFile(address))) {
                return new RunTask(console, store, wishes).run(id, plan, files, stop);
            }
        }
    }
}
