package io.redrive.items;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.CostLimit;
import io.redrive.core.DurationText;
import io.redrive.core.Presets;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One step of a pipeline: a function that is called for each sample, or for batches of samples, and the rules of its retries
 * and limits. Immutable: each setter returns a new stage. Thread-safe if the function is.
 *
 * <p>Defaults: policy {@link Presets#STAGE} (3 attempts, 1 s doubling up to 1 min), 8 calls at once, a time limit of 5 minutes
 * for a call, no rate limit, no cost limit, no retry budget.
 *
 * <pre>{@code
 * Stage<String, String> summarize = Stage.map("summarize", (String text) -> llm.summarize(text))
 *         .policy(Presets.STAGE.toBuilder().maxAttempts(5).retryOnStatus(429, 500, 502, 503, 504).build())
 *         .concurrency(64)
 *         .timeLimit(Duration.ofSeconds(30))
 *         .rateLimit(RateLimit.perSecond(20))
 *         .config("model=small-3, prompt=v7");
 * }</pre>
 *
 * <p>The function may be called more than once for a sample (after a failure, after a crash), so it should be safe to repeat.
 *
 * @param <I> type of the values that the stage takes
 * @param <O> type of the values that the stage makes
 */
public final class Stage<I, O> {

    /** Default of {@link #concurrency(int)}. */
    public static final int DEFAULT_CONCURRENCY = 8;

    /** Default of {@link #timeLimit(Duration)}. */
    public static final Duration DEFAULT_TIME_LIMIT = Duration.ofMinutes(5);

    private static final int MAX_CONCURRENCY = 10_000;

    private final String name;
    private final StageWork<I, O> work;
    private final @Nullable Codec<O> codec;
    private final StageSettings settings;

    private Stage(String name, StageWork<I, O> work, @Nullable Codec<O> codec, StageSettings settings) {
        this.name = RunDefinition.requireName("stage name", name);
        this.work = work;
        this.codec = codec;
        this.settings = settings;
    }

    /**
     * A function from one value to another.
     *
     * @param <I> type of the values that the stage takes
     * @param <O> type of the values that the stage makes
     */
    @FunctionalInterface
    public interface Mapping<I, O> {
        /** Returns the new value; an exception is a failed attempt. */
        O apply(I value) throws Exception;
    }

    /**
     * A condition on the value of a sample.
     *
     * @param <I> type of the values
     */
    @FunctionalInterface
    public interface Test<I> {
        /** Returns false to skip the sample; an exception is a failed attempt. */
        boolean accepts(I value) throws Exception;
    }

    /**
     * A function from one sample to an outcome.
     *
     * @param <I> type of the values that the stage takes
     * @param <O> type of the values that the stage makes
     */
    @FunctionalInterface
    public interface Function<I, O> {
        /** Returns the outcome; an exception is a failed attempt. */
        StageOutcome<O> run(I value, SampleContext context) throws Exception;
    }

    /**
     * A function from several values to as many new values.
     *
     * @param <I> type of the values that the stage takes
     * @param <O> type of the values that the stage makes
     */
    @FunctionalInterface
    public interface BatchMapping<I, O> {
        /** Returns a new value for each, in the same order; an exception is a failed attempt of every sample. */
        List<O> apply(List<I> values) throws Exception;
    }

    /**
     * A function from several samples to as many outcomes.
     *
     * @param <I> type of the values that the stage takes
     * @param <O> type of the values that the stage makes
     */
    @FunctionalInterface
    public interface BatchFunction<I, O> {
        /** Returns an outcome for each, in the same order; an exception is a failed attempt of every sample. */
        List<StageOutcome<O>> run(List<I> values, List<SampleContext> contexts) throws Exception;
    }

    /** Returns a stage that makes a value of the same type from each sample. */
    public static <T> Stage<T, T> map(String name, Mapping<T, T> mapping) {
        return map(name, null, mapping);
    }

    /**
     * Returns a stage that makes a value of another type from each sample.
     *
     * @param codec the codec of the new values; null for the codec of the stage before
     */
    public static <I, O> Stage<I, O> map(String name, @Nullable Codec<O> codec, Mapping<I, O> mapping) {
        Objects.requireNonNull(mapping, "mapping");
        return of(name, codec, (value, context) -> StageOutcome.value(mapping.apply(value)));
    }

    /** Returns a stage that skips the samples that {@code test} refuses. The default policy of this stage is one attempt. */
    public static <T> Stage<T, T> filter(String name, Test<T> test) {
        Objects.requireNonNull(test, "test");
        Function<T, T> function = (value, context) ->
                test.accepts(value) ? StageOutcome.value(value) : StageOutcome.skip("filtered by " + name);
        return Stage.<T, T>of(name, null, function).policy(RetryPolicy.noRetry());
    }

    /**
     * Returns a stage whose function gives an outcome for one sample at a time.
     *
     * @param codec the codec of the new values; null for the codec of the stage before
     */
    public static <I, O> Stage<I, O> of(String name, @Nullable Codec<O> codec, Function<I, O> function) {
        Objects.requireNonNull(function, "function");
        return new Stage<>(name, new StageWork.Single<>(function), codec, StageSettings.STANDARD);
    }

    /** Returns a stage that makes values of the same type from batches of up to {@code size} samples. */
    public static <T> Stage<T, T> batch(String name, int size, BatchMapping<T, T> mapping) {
        return batch(name, size, null, mapping);
    }

    /**
     * Returns a stage that makes values of another type from batches of up to {@code size} samples.
     *
     * @param codec the codec of the new values; null for the codec of the stage before
     */
    public static <I, O> Stage<I, O> batch(
            String name, int size, @Nullable Codec<O> codec, BatchMapping<I, O> mapping) {
        Objects.requireNonNull(mapping, "mapping");
        BatchFunction<I, O> function = (values, contexts) ->
                mapping.apply(values).stream().map(StageOutcome::value).toList();
        return batchOf(name, size, codec, function);
    }

    /**
     * Returns a stage whose function gives an outcome for each sample of a batch of up to {@code size} samples.
     *
     * @param codec the codec of the new values; null for the codec of the stage before
     * @throws IllegalArgumentException when {@code size} is below 1 or above 10,000
     */
    public static <I, O> Stage<I, O> batchOf(
            String name, int size, @Nullable Codec<O> codec, BatchFunction<I, O> function) {
        Objects.requireNonNull(function, "function");
        return new Stage<>(name, new StageWork.Batched<>(size, function), codec, StageSettings.STANDARD);
    }

    /** Sets the policy that decides on retries at this stage; {@link Presets#STAGE} by default. */
    public Stage<I, O> policy(RetryPolicy policy) {
        return with(settings.withPolicy(policy));
    }

    /**
     * Sets how many calls run at once, each on a thread of its own; 8 by default. A sample that waits for a retry holds none.
     *
     * @throws IllegalArgumentException when {@code attempts} is below 1 or above 10,000, or the stage has an adaptive limit
     */
    public Stage<I, O> concurrency(int attempts) {
        if (attempts < 1 || attempts > MAX_CONCURRENCY) {
            throw new IllegalArgumentException("concurrency of stage '" + name + "' must be between 1 and "
                    + MAX_CONCURRENCY + ", got " + attempts);
        }
        return with(settings.withConcurrency(name, attempts));
    }

    /**
     * Lets the number of calls at once find itself, in place of a fixed {@link #concurrency(int)}. Processes that share a run
     * divide the upper bound. Stages that call the same downstream may share one limit.
     *
     * @throws IllegalArgumentException when the stage has a fixed concurrency
     */
    public Stage<I, O> concurrency(AdaptiveLimit limit) {
        return with(settings.withAdaptive(name, Objects.requireNonNull(limit, "limit")));
    }

    /**
     * Sets how long a call may take before it is interrupted and counts as a failed attempt; 5 minutes by default.
     *
     * @throws IllegalArgumentException when {@code limit} is not longer than zero
     */
    public Stage<I, O> timeLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("time limit of stage '" + name + "' must be longer than zero, got "
                    + (limit.isNegative() ? limit : DurationText.format(limit)));
        }
        return with(settings.withTimeLimit(limit));
    }

    /** Removes the time limit: for quick work that cannot hang, and for work with a time limit of its own. */
    public Stage<I, O> withoutTimeLimit() {
        return with(settings.withTimeLimit(null));
    }

    /** Limits how often the stage is called, retries included; unlimited by default. Processes that share a run divide the limit. */
    public Stage<I, O> rateLimit(RateLimit limit) {
        return with(settings.withRateLimit(Objects.requireNonNull(limit, "limit")));
    }

    /**
     * Limits the stage by the cost of its calls, retries included; unlimited by default. Before each call, a worker waits until
     * the estimate for its samples is reserved; that wait is outside the time limit. The stage reports the actual cost through
     * {@link SampleContext#cost}. Processes that share a run divide the limit. One limit belongs to the stages of one run. The
     * report on the run sums the costs, in the unit that the limit is named after.
     *
     * @param estimate the cost of a sample, before the call
     */
    public Stage<I, O> costLimit(CostLimit limit, ToLongFunction<? super I> estimate) {
        return costLimit(limit, estimate, Optional.empty());
    }

    /** Limits the stage by the cost of its calls, and adds the money for the costs to the report on the run. */
    public Stage<I, O> costLimit(CostLimit limit, ToLongFunction<? super I> estimate, Price price) {
        return costLimit(limit, estimate, Optional.of(price));
    }

    private Stage<I, O> costLimit(CostLimit limit, ToLongFunction<? super I> estimate, Optional<Price> price) {
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(estimate, "estimate");
        @SuppressWarnings("unchecked")
        ToLongFunction<Object> ofValue = value -> estimate.applyAsLong((I) value);
        return with(settings.withCost(new StageCost(limit, ofValue, price)));
    }

    /**
     * Limits retries by the tokens of {@code budget}; unlimited by default. A retry without a token waits, and no sample dies of
     * waiting. When only retries are left, and so no first attempt can earn a token, retries go on without: in a second, as many
     * as run at once.
     */
    public Stage<I, O> retryBudget(RetryBudget budget) {
        return with(settings.withRetryBudget(Objects.requireNonNull(budget, "budget")));
    }

    /**
     * Sets how long a batch waits to fill up; 100 ms by default. Has no effect on stages without batches.
     *
     * @throws IllegalArgumentException when {@code wait} is negative
     */
    public Stage<I, O> batchWait(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("batch wait of stage '" + name + "' must not be negative, got " + wait);
        }
        return with(settings.withBatchWait(wait));
    }

    /**
     * Names further causes of the stage's results, such as a model or the version of a prompt; empty by default. The text is
     * part of {@link #configHash}, which every line of the audit trail carries.
     */
    public Stage<I, O> config(String text) {
        return with(settings.withConfig(Objects.requireNonNull(text, "text")));
    }

    /** Returns the name, unique in its pipeline. */
    public String name() {
        return name;
    }

    /** Returns the policy that decides on retries. */
    public RetryPolicy policy() {
        return settings.policy();
    }

    /** Returns how many calls run at once. */
    public int concurrency() {
        return settings.callsAtOnce();
    }

    /** Returns the limit that finds itself; empty for a stage with a fixed concurrency. */
    public Optional<AdaptiveLimit> adaptiveLimit() {
        return Optional.ofNullable(settings.adaptive());
    }

    /** Returns how long a call may take, if limited. */
    public Optional<Duration> timeLimit() {
        return Optional.ofNullable(settings.timeLimit());
    }

    /** Returns twelve hexadecimal digits that change with the name, the kind of function, the policy, the time limit and the {@link #config}. */
    public String configHash() {
        return settings.hash(name, work.describe());
    }

    /** Returns how often the stage may be called, if limited. */
    public Optional<RateLimit> rateLimit() {
        return Optional.ofNullable(settings.rateLimit());
    }

    /** Returns the cost limit, if the stage has one. */
    public Optional<CostLimit> costLimit() {
        return Optional.ofNullable(settings.cost()).map(StageCost::limit);
    }

    /** Returns the estimated cost of a call with this value alone; 0 for a stage without a cost limit. */
    public long estimateOf(I value) {
        return settings.cost() == null ? 0 : settings.cost().estimate().applyAsLong(value);
    }

    /** Returns the price of a unit of the cost limit, if one was given. */
    public Optional<Price> price() {
        return settings.cost() == null ? Optional.empty() : settings.cost().price();
    }

    /** Returns the retry budget, if the stage has one. */
    public Optional<RetryBudget> retryBudget() {
        return Optional.ofNullable(settings.retryBudget());
    }

    /** Returns the most samples of one call: 1 unless the stage works on batches. */
    public int batchSize() {
        return work.size();
    }

    /** Returns how long a batch waits to fill up. */
    public Duration batchWait() {
        return settings.batchWait();
    }

    /**
     * Calls the stage's function once for one value: no retry, no limit, no audit trail. Runs call stages this way, and so can
     * the test of a stage.
     *
     * @throws Exception what the function throws
     */
    public StageOutcome<O> call(I value, SampleContext context) throws Exception {
        if (work instanceof StageWork.Single<I, O> single) {
            return single.function().run(value, context);
        }
        // The function may change these lists, as it may change those of a larger batch.
        List<I> values = new ArrayList<>(Collections.singletonList(value));
        return work.run(values, new ArrayList<>(List.of(context))).get(0);
    }

    /**
     * Calls the stage's function once for several values, as many as {@link #batchSize} at most. Returns as many outcomes, in
     * the same order.
     *
     * @throws IllegalStateException when the function gives another number of outcomes
     * @throws Exception what the function throws
     */
    public List<StageOutcome<O>> call(List<I> values, List<SampleContext> contexts) throws Exception {
        return work.run(values, contexts);
    }

    /** Returns the codec of the values that the stage makes; null for the codec of the stage before. */
    @Nullable
    Codec<O> codec() {
        return codec;
    }

    @Override
    public String toString() {
        return name + " (" + work.describe() + ", " + settings.policy() + ")";
    }

    private Stage<I, O> with(StageSettings changed) {
        return new Stage<>(name, work, codec, changed);
    }
}
