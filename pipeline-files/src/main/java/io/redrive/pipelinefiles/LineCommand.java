package io.redrive.pipelinefiles;

import io.redrive.items.SampleContext;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A stage of child processes that live as long as the run and answer line by line; one for each worker of the stage. A process that
 * dies, breaks the rules or is interrupted is replaced at the next sample.
 */
final class LineCommand implements Stage.Function<String, String>, Stage.BatchFunction<String, String>, AutoCloseable {

    private final CommandPlan plan;
    private final StopSignal stop;
    private final Deque<LineChild> idle = new ConcurrentLinkedDeque<>();

    LineCommand(CommandPlan plan, StopSignal stop) {
        this.plan = plan;
        this.stop = stop;
    }

    @Override
    public StageOutcome<String> run(String value, SampleContext context) throws Exception {
        return run(List.of(value), List.of(context)).get(0);
    }

    @Override
    public List<StageOutcome<String>> run(List<String> values, List<SampleContext> contexts) throws Exception {
        List<JsonValue> samples = new ArrayList<>();
        List<JsonValue> items = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            JsonValue sample = JsonValue.parse(values.get(i));
            samples.add(sample);
            items.add(plan.item().render(new Scope(sample, contexts.get(i))));
        }
        List<JsonValue> answered = ask(items, new Scope(samples.get(0), contexts.get(0)));
        List<StageOutcome<String>> outcomes = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            outcomes.add(CommandAnswer.outcome(samples.get(i), answered.get(i), plan.answers()));
        }
        return outcomes;
    }

    private List<JsonValue> ask(List<JsonValue> items, Scope first) throws IOException, InterruptedException {
        LineChild child = child(first);
        boolean kept = false;
        try {
            List<JsonValue> answered = new ArrayList<>();
            List<String> lines = items.stream().map(JsonValue::toString).toList();
            for (String line : child.ask(lines, stop)) {
                JsonValue answer = plan.parsed(line, child.named());
                plan.requireMatch(items.get(answered.size()), answer, child.named());
                answered.add(answer);
            }
            kept = true;
            return answered;
        } finally {
            if (kept) {
                idle.push(child);
            } else {
                child.kill();
            }
        }
    }

    private LineChild child(Scope scope) throws IOException, InterruptedException {
        for (LineChild child = idle.poll(); child != null; child = idle.poll()) {
            if (child.isAlive()) {
                return child;
            }
            child.kill();
        }
        return new LineChild(ChildProcess.start(plan.stage(), plan.program(), scope, stop), plan.maxAnswer());
    }

    @Override
    public void close() {
        for (LineChild child = idle.poll(); child != null; child = idle.poll()) {
            child.close();
        }
    }
}
