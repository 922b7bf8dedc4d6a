package io.redrive.pipelinefiles;

import io.redrive.items.SampleContext;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** A stage that starts a process for each sample: standard input is the item, standard output the answer. */
record OnceCommand(CommandPlan plan, StopSignal stop) implements Stage.Function<String, String> {

    @Override
    public StageOutcome<String> run(String value, SampleContext context) throws Exception {
        JsonValue sample = JsonValue.parse(value);
        Scope scope = new Scope(sample, context);
        String input = plan.item().render(scope) + "\n";
        ChildProcess process = ChildProcess.start(plan.stage(), plan.program(), scope, stop);
        try {
            String output = output(process, input);
            return CommandAnswer.outcome(sample, plan.parsed(output, process.named()), plan.answers());
        } finally {
            process.kill();
        }
    }

    private String output(ChildProcess process, String input) throws IOException, InterruptedException {
        Future<byte[]> reading = ChildProcess.onOwnThread(() -> {
            try (InputStream in = process.output()) {
                return in.readNBytes(plan.maxAnswer() + 1);
            }
        });
        process.write(input, true);
        byte[] bytes;
        try {
            bytes = reading.get();
        } catch (ExecutionException e) {
            throw new IOException(
                    "the output of " + process.named() + " cannot be read: " + e.getCause(), e.getCause());
        }
        if (bytes.length > plan.maxAnswer()) {
            throw new SampleException(process.named() + " must answer with at most " + plan.maxAnswer()
                    + " bytes, which is max-payload of the pipeline, got more");
        }
        if (process.awaitExit() != 0) {
            throw process.failure(stop);
        }
        return new String(bytes, StandardCharsets.UTF_8).strip();
    }
}
