package io.redrive.items;

import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.StageAttempt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The stages that each sample goes through, and the limits by which a run is judged. Immutable and thread-safe; a {@code Run}
 * takes samples through it.
 *
 * <pre>{@code
 * ItemPipeline<String, String> pipeline = ItemPipeline.named("summaries", Codec.text())
 *         .stage(Stage.filter("long-enough", text -> text.length() > 100))
 *         .stage(Stage.map("summarize", text -> llm.summarize(text)))
 *         .build();
 * }</pre>
 *
 * @param <I> type of the values that the source gives
 * @param <O> type of the values that the sink gets
 */
public final class ItemPipeline<I, O> {

    /** Default of {@link Builder#maxPayload}: 1 MiB. */
    public static final int DEFAULT_MAX_PAYLOAD = 1024 * 1024;

    /** Default of {@link Builder#earlyStop}. */
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

    /**
     * Returns a builder of a pipeline.
     *
     * @param codec the codec of the values that the source gives
     * @throws IllegalArgumentException when the name is too long or has other characters than letters, digits, dots, dashes and
     *     underscores
     */
    public static <T> Builder<T, T> named(String name, Codec<T> codec) {
        return new Builder<>(codec, new Parts(RunDefinition.requireName("pipeline name", name), codec));
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the stages in order. */
    public List<Stage<?, ?>> stages() {
        return stages;
    }

    /** Returns the names of the stages in order. */
    public List<String> stageNames() {
        List<String> names = new ArrayList<>();
        stages.forEach(stage -> names.add(stage.name()));
        return names;
    }

    /** Returns the failure budget of runs. */
    public FailureBudget failureBudget() {
        return failureBudget;
    }

    /** Returns the thresholds for the status of a run. */
    public StatusThresholds thresholds() {
        return thresholds;
    }

    /** Returns the limit for the payload of a sample in bytes. */
    public int maxPayload() {
        return maxPayload;
    }

    /** Returns how many first calls of a stage must all fail alike to stop the run; 0 without early stop. */
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

    /** The state of a builder, which keeps it while its type parameters change from stage to stage. */
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
     * @param <I> type of the values that the source gives
     * @param <T> type of the values that the last stage so far makes
     */
    public static final class Builder<I, T> {
        private final Codec<I> input;
        private final Parts parts;

        private Builder(Codec<I> input, Parts parts) {
            this.input = input;
            this.parts = parts;
        }

        /**
         * Adds a stage after the stages that were added before.
         *
         * @throws IllegalArgumentException when there are 100 stages, or one of the same name
         */
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
            Codec<?> own = stage.codec();
            parts.codecs.add(own == null ? parts.codecs.get(parts.codecs.size() - 1) : own);
            return (Builder<I, U>) this;
        }

        /** Replaces the failure budget: by default a run stops when 10 % of the tried samples died, checked every 1,000. */
        public Builder<I, T> failureBudget(FailureBudget budget) {
            parts.failureBudget = Objects.requireNonNull(budget, "budget");
            return this;
        }

        /** Replaces the thresholds for the status of a run: by default 95 % for completed, 50 % for partial success. */
        public Builder<I, T> thresholds(StatusThresholds value) {
            parts.thresholds = Objects.requireNonNull(value, "thresholds");
            return this;
        }

        /**
         * Limits the payload of a sample, before, between and after the stages; 1 MiB by default. A sample with a larger one is
         * dead.
         *
         * @throws IllegalArgumentException when {@code bytes} is below 1
         */
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
         *
         * @throws IllegalArgumentException when {@code calls} is below 1
         */
        public Builder<I, T> earlyStop(int calls) {
            if (calls < 1) {
                throw new IllegalArgumentException(
                        "early stop must be after at least 1 call, got " + calls + "; see withoutEarlyStop()");
            }
            parts.earlyStop = calls;
            return this;
        }

        /** Removes the early stop: a run goes on although every call of a stage fails. The failure budget still holds. */
        public Builder<I, T> withoutEarlyStop() {
            parts.earlyStop = 0;
            return this;
        }

        /**
         * Returns the pipeline.
         *
         * @throws IllegalArgumentException when it has no stage
         */
        public ItemPipeline<I, T> build() {
            if (parts.stages.isEmpty()) {
                throw new IllegalArgumentException("pipeline '" + parts.name + "' must have at least one stage");
            }
            return new ItemPipeline<>(this);
        }
    }
}
