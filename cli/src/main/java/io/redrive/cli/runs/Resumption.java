package io.redrive.cli.runs;

import io.redrive.cli.command.ConsoleCommand;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.LogFile;
import io.redrive.cli.terminal.StopHook;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import io.redrive.pipelinefiles.PipelineFile;
import io.redrive.pipelinefiles.PipelinePlan;
import io.redrive.pipelinefiles.RunContext;
import io.redrive.pipelinefiles.StopSignal;
import java.io.IOException;

/** Continues a run with the files that the run remembers. */
record Resumption(ConsoleCommand console, RunStore store, String address) {

    int resume(RunRecord run, RunTask.Display display) throws IOException {
        RunFiles files = RunFiles.of(run);
        StopSignal stop = new StopSignal();
        Context context = console.context();
        try (PipelinePlan plan =
                PipelineFile.read(files.pipeline(), new RunContext(context.environment(), context.time(), stop))) {
            files.check();
            plan.check(files.input());
            plan.warnings().forEach(warning -> console.note("warning: " + warning));
            try (StopHook hook = new StopHook(stop::raise, RunCommand.STOP_LIMIT);
                    LogFile log = new LogFile(JdbcStores.logFile(address))) {
                return new RunTask(console, store, display).run(run.id(), plan, files, stop);
            }
        }
    }
}
