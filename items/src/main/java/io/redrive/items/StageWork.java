package io.redrive.items;

import java.util.List;

/** What a stage does: to one sample at a time, or to several at once. */
sealed interface StageWork<I, O> {

    int MAX_BATCH = 10_000;

    /** The most samples for one call. */
    int size();

    String describe();

    /** One at a time. */
    record Single<I, O>(Stage.Function<I, O> function) implements StageWork<I, O> {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public String describe() {
            return "one sample at a time";
        }
    }

    /** Several at once. */
    record Batched<I, O>(int size, Stage.BatchFunction<I, O> function) implements StageWork<I, O> {
        /** Refuses a size that makes no batch. */
        public Batched {
            if (size < 1 || size > MAX_BATCH) {
                throw new IllegalArgumentException("batch size must be between 1 and " + MAX_BATCH + ", got " + size);
            }
        }

        @Override
        public String describe() {
            return "up to " + size + " samples at once";
        }
    }

    /** Runs it for all of these; a list of outcomes of the same size. */
    default List<StageOutcome<O>> run(List<I> values, List<SampleContext> contexts) throws Exception {
        if (this instanceof Single<I, O> single) {
            return List.of(single.function().run(values.get(0), contexts.get(0)));
        }
        List<StageOutcome<O>> outcomes = ((Batched<I, O>) this).function().run(values, contexts);
        if (outcomes.size() != values.size()) {
            throw new IllegalStateException(
                    "a batch of " + values.size() + " samples must give as many results, got " + outcomes.size());
        }
        return outcomes;
    }
}
