package io.redrive.pipelinefiles;

import io.redrive.core.Failure;
import io.redrive.items.SampleContext;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import tools.jackson.core.JsonPointer;

/** A stage that sends an HTTP request for each sample. */
record HttpStage(HttpCall call, Answers answers) implements Stage.Function<String, String> {

    @Override
    public StageOutcome<String> run(String value, SampleContext context) throws Exception {
        JsonValue sample = JsonValue.parse(value);
        JsonValue answer = call.send(new Scope(sample, context));
        return StageOutcome.value(answers.applied(sample, answer));
    }

    /**
     * A stage that sends an HTTP request for each batch of samples. Pointers in the body lead into the array of items; the answer
     * must hold an array with one element for each item.
     *
     * @param item makes the item of a sample
     * @param pick the place of the array in the answer
     * @param each the picks from each element of that array
     */
    record Batched(HttpCall call, JsonTemplate item, JsonPointer pick, Answers each)
            implements Stage.BatchFunction<String, String> {

        /** A sample before the request, with the item, or refused because the template of the item could not be filled. */
        private sealed interface Prepared {
            record Ready(JsonValue sample, JsonValue item) implements Prepared {}

            record Refused(StageOutcome<String> outcome) implements Prepared {}
        }

        @Override
        public List<StageOutcome<String>> run(List<String> values, List<SampleContext> contexts) throws Exception {
            List<Prepared> prepared = new ArrayList<>();
            List<JsonValue> items = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                Prepared next = prepare(JsonValue.parse(values.get(i)), contexts.get(i));
                prepared.add(next);
                if (next instanceof Prepared.Ready ready) {
                    items.add(ready.item());
                }
            }
            Iterator<JsonValue> answered = (items.isEmpty() ? items : send(items, contexts.get(0))).iterator();
            List<StageOutcome<String>> outcomes = new ArrayList<>();
            for (Prepared each : prepared) {
                outcomes.add(
                        each instanceof Prepared.Ready ready
                                ? outcome(ready.sample(), answered.next())
                                : ((Prepared.Refused) each).outcome());
            }
            return outcomes;
        }

        private Prepared prepare(JsonValue sample, SampleContext context) {
            try {
                return new Prepared.Ready(sample, item.render(new Scope(sample, context)));
            } catch (SampleException e) {
                return new Prepared.Refused(StageOutcome.failed(Failure.thrown(e)));
            }
        }

        private List<JsonValue> send(List<JsonValue> items, SampleContext first) throws Exception {
            JsonValue picked = Answers.picked(call.send(new Scope(new JsonValue.Arr(items), first)), pick);
            if (!(picked instanceof JsonValue.Arr array) || array.items().size() != items.size()) {
                String got =
                        picked instanceof JsonValue.Arr array ? array.items().size() + "" : "no array";
                throw new AnswerException("the answer must hold an array of " + items.size()
                        + ", one for each sample, at '" + pick + "', got " + got);
            }
            return array.items();
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
