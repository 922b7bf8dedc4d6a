package io.redrive.items;

import java.util.List;

/** The function of a stage: for one sample at a time, or for batches. */
sealed interface StageWork<I, O> {

    int MAX_BATCH = 10_000;

    /** Returns the largest number of samples in a call. */
    int size();

    String describe();

    /** A function for one sample at a time. */
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

    /** A function for batches. */
    record Batched<I, O>(int size, Stage.BatchFunction<I, O> function) implements StageWork<I, O> {
        /** Refuses a size below 1 or above the limit. */
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

    /** Calls the function once. Returns as many outcomes as there are values. */
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
