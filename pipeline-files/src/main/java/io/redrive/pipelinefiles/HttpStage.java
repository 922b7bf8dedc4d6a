package io.redrive.pipelinefiles;

import io.redrive.core.Failure;
import io.redrive.items.SampleContext;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonPointer;

/** A stage that asks an HTTP service, for each sample or for a batch of them. */
record HttpStage(HttpCall call, Answers answers) implements Stage.Function<String, String> {

    @Override
    public StageOutcome<String> run(String value, SampleContext context) throws Exception {
        JsonValue sample = JsonValue.parse(value);
        JsonValue answer = call.send(new Scope(sample, context));
        return StageOutcome.value(answers.applied(sample, answer));
    }

    /**
     * The same for a batch: the body's pointers lead into the array of items, and the answer holds an array of as many.
     *
     * @param call asks for all
     * @param item what each sample is in the array
     * @param pick leads to the array in the answer
     * @param each which parts of each element of that array count, and where in its sample they go
     */
    record Batched(HttpCall call, JsonTemplate item, JsonPointer pick, Answers each)
            implements Stage.BatchFunction<String, String> {

        @Override
        public List<StageOutcome<String>> run(List<String> values, List<SampleContext> contexts) throws Exception {
            List<JsonValue> samples = new ArrayList<>();
            List<StageOutcome<String>> outcomes = new ArrayList<>();
            List<JsonValue> items = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                JsonValue sample = JsonValue.parse(values.get(i));
                samples.add(sample);
                try {
                    items.add(item.render(new Scope(sample, contexts.get(i))));
                    outcomes.add(null);
                } catch (SampleException e) {
                    outcomes.add(StageOutcome.failed(Failure.thrown(e)));
                }
            }
            if (!items.isEmpty()) {
                fill(outcomes, samples, ask(items, contexts.get(0)));
            }
            return outcomes;
        }

        private List<JsonValue> ask(List<JsonValue> items, SampleContext first) throws Exception {
            JsonValue picked = Answers.picked(call.send(new Scope(new JsonValue.Arr(items), first)), pick);
            if (!(picked instanceof JsonValue.Arr array) || array.items().size() != items.size()) {
                String got =
                        picked instanceof JsonValue.Arr array ? array.items().size() + "" : "no array";
                throw new AnswerException("the answer must hold an array of " + items.size()
                        + ", one for each sample, at '" + pick + "', got " + got);
            }
            return array.items();
        }

        private void fill(List<StageOutcome<String>> outcomes, List<JsonValue> samples, List<JsonValue> answered) {
            int next = 0;
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i) == null) {
                    outcomes.set(i, outcome(samples.get(i), answered.get(next)));
                    next++;
                }
            }
        }

        private StageOutcome<String> outcome(JsonValue sample, JsonValue element) {
            try {
                return StageOutcome.value(each.applied(sample, element));
            } catch (SampleException | AnswerException e) {
                return StageOutcome.failed(Failure.thrown(e));
            }
        }
    }
}
