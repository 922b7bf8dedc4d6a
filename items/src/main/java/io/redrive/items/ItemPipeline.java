package io.redrive.items;

import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.StageAttempt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What is done to each sample: a name, stages in order, and what counts as a good run. An immutable value; a {@code Run}
 * does it.
 *
 * <pre>{@code
 * ItemPipeline<String, String> pipeline = ItemPipeline.named("summaries", Codec.text())
 *         .stage(Stage.filter("long-enough", text -> text.length() > 100))
 *         .stage(Stage.map("summarize", text -> llm.summarize(text)))
 *         .build();
 * }</pre>
 *
 * @param <I> what the source gives
 * @param <O> what the sink gets
 */
public final class ItemPipeline<I, O> {

    /** Bytes allowed in a sample unless told otherwise: 1 MiB. */
    public static final int DEFAULT_MAX_PAYLOAD = 1024 * 1024;

    /** Calls of a stage that must all fail alike to stop the run, unless told otherwise. */
    public static final int DEFAULT_EARLY_STOP = 20;

    private static final int MAX_STAGES = 100;

    private final String name;
    private final Codec<I> input;
    private final List<Stage<?, ?>> stages;
    private final List<Codec<?>> codecs;
    private final FailureBudget failureBudget;
    private final StatusThresholds thresholds;
    private final int maxPayload;
    private final int earlyStop;

    private ItemPipeline(Builder<I, ?> builder) {
        name = builder.parts.name;
        input = builder.input;
        stages = List.copyOf(builder.parts.stages);
        codecs = List.copyOf(builder.parts.codecs);
        failureBudget = builder.parts.failureBudget;
        thresholds = builder.parts.thresholds;
        maxPayload = builder.parts.maxPayload;
        earlyStop = builder.parts.earlyStop;
    }

    /** A builder for a pipeline whose source gives what {@code codec} can store. */
    public static <T> Builder<T, T> named(String name, Codec<T> codec) {
        return new Builder<>(codec, new Parts(RunDefinition.requireName("pipeline name", name), codec));
    }

    /** The name. */
    public String name() {
        return name;
    }

    /** The stages in order. */
    public List<Stage<?, ?>> stages() {
        return stages;
    }

    /** The names of the stages in order. */
    public List<String> stageNames() {
        List<String> names = new ArrayList<>();
        stages.forEach(stage -> names.add(stage.name()));
        return names;
    }

    /** When too many have died. */
    public FailureBudget failureBudget() {
        return failureBudget;
    }

    /** What makes a run completed, partly so, or failed. */
    public StatusThresholds thresholds() {
        return thresholds;
    }

    /** Bytes allowed in a sample, before, between and after the stages. */
    public int maxPayload() {
        return maxPayload;
    }

    /** Returns how many first calls of a stage must all fail alike to stop the run; 0 when nothing stops it early. */
    public int earlyStop() {
        return earlyStop;
    }

    /** Returns the codec of the values that the source gives. */
    public Codec<I> input() {
        return input;
    }

    /** Returns the codec of the values that the stage at {@code index} takes; at the number of stages, that of the results. */
    public Codec<?> codecBefore(int index) {
        return codecs.get(index);
    }

    /** Returns the codec of the results. */
    @SuppressWarnings("unchecked")
    public Codec<O> output() {
        return (Codec<O>) codecs.get(stages.size());
    }

    @Override
    public String toString() {
        return name + ": " + String.join(" > ", stageNames());
    }

    /** What a builder gathers, whatever its types are by now. */
    private static final class Parts {
        private final String name;
        private final List<Stage<?, ?>> stages = new ArrayList<>();
        private final List<Codec<?>> codecs = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private FailureBudget failureBudget = FailureBudget.STANDARD;
        private StatusThresholds thresholds = StatusThresholds.STANDARD;
        private int maxPayload = DEFAULT_MAX_PAYLOAD;
        private int earlyStop = DEFAULT_EARLY_STOP;

        private Parts(String name, Codec<?> codec) {
            this.name = name;
            codecs.add(Objects.requireNonNull(codec, "codec"));
        }
    }

    /**
     * Builds an {@link ItemPipeline}. Not thread-safe.
     *
     * @param <I> what the source gives
     * @param <T> what comes out of the last stage so far
     */
    public static final class Builder<I, T> {
        private final Codec<I> input;
        private final Parts parts;

        private Builder(Codec<I> input, Parts parts) {
            this.input = input;
            this.parts = parts;
        }

        /** Adds a stage after those before. */
        @SuppressWarnings("unchecked")
        public <U> Builder<I, U> stage(Stage<T, U> stage) {
            if (parts.stages.size() == MAX_STAGES) {
                throw new IllegalArgumentException(
                        "pipeline '" + parts.name + "' must have at most " + MAX_STAGES + " stages");
            }
            if (stage.name().equals(StageAttempt.SOURCE)) {
                throw new IllegalArgumentException("stage name must not be '" + StageAttempt.SOURCE
                        + "', which stands for what could not be read, in reports and where dead samples are picked");
            }
            if (!parts.names.add(stage.name())) {
                throw new IllegalArgumentException("pipeline '" + parts.name
                        + "' must not have two stages of one name, got '" + stage.name() + "' twice");
            }
            parts.stages.add(stage);
            parts.codecs.add(stage.codec() == null ? parts.codecs.get(parts.codecs.size() - 1) : stage.codec());
            return (Builder<I, U>) this;
        }

        /** When too many have died; 10 % of those processed, looked at every 1,000. */
        public Builder<I, T> failureBudget(FailureBudget budget) {
            parts.failureBudget = Objects.requireNonNull(budget, "budget");
            return this;
        }

        /** What makes a run completed, partly so, or failed; 95 % and 50 %. */
        public Builder<I, T> thresholds(StatusThresholds value) {
            parts.thresholds = Objects.requireNonNull(value, "thresholds");
            return this;
        }

        /** Bytes allowed in a sample, before, between and after the stages; a larger one is dead. */
        public Builder<I, T> maxPayload(int bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxPayload must be at least 1 byte, got " + bytes);
            }
            parts.maxPayload = bytes;
            return this;
        }

        /**
         * Stops the run with {@link StageNeverSucceeded} when the first {@code calls} calls of a stage all fail with one
         * error type, none succeeds, and the stage's policy has given up on one; 20 by default. The run can be resumed.
         */
        public Builder<I, T> earlyStop(int calls) {
            if (calls < 1) {
                throw new IllegalArgumentException(
                        "early stop must be after at least 1 call, got " + calls + "; see withoutEarlyStop()");
            }
            parts.earlyStop = calls;
            return this;
        }

        /** Lets a run go on although every call of a stage fails; the failure budget still holds. */
        public Builder<I, T> withoutEarlyStop() {
            parts.earlyStop = 0;
            return this;
        }

        /** The pipeline. */
        public ItemPipeline<I, T> build() {
            if (parts.stages.isEmpty()) {
                throw new IllegalArgumentException("pipeline '" + parts.name + "' must have at least one stage");
            }
            return new ItemPipeline<>(this);
        }
    }
}
