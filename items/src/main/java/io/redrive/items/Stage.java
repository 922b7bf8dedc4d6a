package io.redrive.items;

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

/**
 * One step that every sample takes. Immutable: methods that change something return a new stage.
 *
 * <p>Defaults: policy {@link Presets#STAGE} (3 attempts, 1 s doubling up to 1 min), 8 samples at once, 5 minutes for an
 * attempt, no rate limit.
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
 * <p>A stage may run more than once for a sample (after a failure, after a crash), so it should be safe to repeat.
 *
 * @param <I> what it takes
 * @param <O> what it makes
 */
public final class Stage<I, O> {

    /** How many attempts run at once unless told otherwise. */
    public static final int DEFAULT_CONCURRENCY = 8;

    /** How long an attempt may take unless told otherwise. */
    public static final Duration DEFAULT_TIME_LIMIT = Duration.ofMinutes(5);

    private static final int MAX_CONCURRENCY = 10_000;

    private final String name;
    private final StageWork<I, O> work;
    private final Codec<O> codec;
    private final StageSettings settings;

    private Stage(String name, StageWork<I, O> work, Codec<O> codec, StageSettings settings) {
        this.name = RunDefinition.requireName("stage name", name);
        this.work = work;
        this.codec = codec;
        this.settings = settings;
    }

    /**
     * Makes a new value from one sample.
     *
     * @param <I> what it takes
     * @param <O> what it makes
     */
    @FunctionalInterface
    public interface Mapping<I, O> {
        /** The new value; what it throws is a failed attempt. */
        O apply(I value) throws Exception;
    }

    /**
     * Says whether a sample goes on.
     *
     * @param <I> what it takes
     */
    @FunctionalInterface
    public interface Test<I> {
        /** False skips the sample; what it throws is a failed attempt. */
        boolean accepts(I value) throws Exception;
    }

    /**
     * Works on one sample and says what became of it.
     *
     * @param <I> what it takes
     * @param <O> what it makes
     */
    @FunctionalInterface
    public interface Function<I, O> {
        /** What became of it; what it throws is a failed attempt. */
        StageOutcome<O> run(I value, SampleContext context) throws Exception;
    }

    /**
     * Makes new values from several samples at once.
     *
     * @param <I> what it takes
     * @param <O> what it makes
     */
    @FunctionalInterface
    public interface BatchMapping<I, O> {
        /** A new value for each, in the same order; what it throws is a failed attempt of all. */
        List<O> apply(List<I> values) throws Exception;
    }

    /**
     * Works on several samples at once and says what became of each.
     *
     * @param <I> what it takes
     * @param <O> what it makes
     */
    @FunctionalInterface
    public interface BatchFunction<I, O> {
        /** What became of each, in the same order; what it throws is a failed attempt of all. */
        List<StageOutcome<O>> run(List<I> values, List<SampleContext> contexts) throws Exception;
    }

    /** Makes a value of the same type from each sample. */
    public static <T> Stage<T, T> map(String name, Mapping<T, T> mapping) {
        return map(name, null, mapping);
    }

    /** Makes a value of another type from each sample; null as {@code codec} stands for the one before. */
    public static <I, O> Stage<I, O> map(String name, Codec<O> codec, Mapping<I, O> mapping) {
        Objects.requireNonNull(mapping, "mapping");
        return of(name, codec, (value, context) -> StageOutcome.value(mapping.apply(value)));
    }

    /** Lets samples pass that {@code test} accepts and skips the others; one attempt, unless another policy is set. */
    public static <T> Stage<T, T> filter(String name, Test<T> test) {
        Objects.requireNonNull(test, "test");
        Function<T, T> function = (value, context) ->
                test.accepts(value) ? StageOutcome.value(value) : StageOutcome.skip("filtered by " + name);
        return Stage.<T, T>of(name, null, function).policy(RetryPolicy.noRetry());
    }

    /** Works on one sample at a time and says what became of it; null as {@code codec} stands for the one before. */
    public static <I, O> Stage<I, O> of(String name, Codec<O> codec, Function<I, O> function) {
        Objects.requireNonNull(function, "function");
        return new Stage<>(name, new StageWork.Single<>(function), codec, StageSettings.STANDARD);
    }

    /** Makes values of the same type from up to {@code size} samples at once. */
    public static <T> Stage<T, T> batch(String name, int size, BatchMapping<T, T> mapping) {
        return batch(name, size, null, mapping);
    }

    /** Makes values of another type from up to {@code size} samples at once. */
    public static <I, O> Stage<I, O> batch(String name, int size, Codec<O> codec, BatchMapping<I, O> mapping) {
        Objects.requireNonNull(mapping, "mapping");
        BatchFunction<I, O> function = (values, contexts) ->
                mapping.apply(values).stream().map(StageOutcome::value).toList();
        return batchOf(name, size, codec, function);
    }

    /** Works on up to {@code size} samples at once and says what became of each. */
    public static <I, O> Stage<I, O> batchOf(String name, int size, Codec<O> codec, BatchFunction<I, O> function) {
        Objects.requireNonNull(function, "function");
        return new Stage<>(name, new StageWork.Batched<>(size, function), codec, StageSettings.STANDARD);
    }

    /** When to try again. The stage's own; other stages are not affected. */
    public Stage<I, O> policy(RetryPolicy policy) {
        return with(settings.withPolicy(policy));
    }

    /** How many attempts run at once, each on a thread; samples that wait hold none. */
    public Stage<I, O> concurrency(int attempts) {
        if (attempts < 1 || attempts > MAX_CONCURRENCY) {
            throw new IllegalArgumentException("concurrency of stage '" + name + "' must be between 1 and "
                    + MAX_CONCURRENCY + ", got " + attempts);
        }
        return with(settings.withConcurrency(attempts));
    }

    /** How long an attempt may take before it is interrupted and counts as failed. */
    public Stage<I, O> timeLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("time limit of stage '" + name + "' must be longer than zero, got "
                    + (limit.isNegative() ? limit : DurationText.format(limit)));
        }
        return with(settings.withTimeLimit(limit));
    }

    /** Lets an attempt take as long as it takes: for quick work that cannot hang, and for work with a limit of its own. */
    public Stage<I, O> withoutTimeLimit() {
        return with(settings.withTimeLimit(null));
    }

    /** How often the stage may be called, retries included. */
    public Stage<I, O> rateLimit(RateLimit limit) {
        return with(settings.withRateLimit(Objects.requireNonNull(limit, "limit")));
    }

    /**
     * Limits the stage by the cost of its calls, retries included: before each call, a worker waits until the estimate for its
     * samples is reserved, outside the time limit of the attempt; the stage reports the actual cost through
     * {@link SampleContext#cost}. Processes that share the run divide the limit. One limit belongs to the stages of one run.
     * The report on the run sums the costs, in the unit that the limit is named after.
     */
    public Stage<I, O> costLimit(CostLimit limit, ToLongFunction<? super I> estimate) {
        return costLimit(limit, estimate, Optional.empty());
    }

    /** Limits the stage by the cost of its calls, as without a price; the report then also has the money that they cost. */
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
     * Holds back retries to what {@code budget} allows; they wait for a token, no sample dies of it. When nothing but retries
     * can go on, and so nothing that could earn a token, they go on without: as many a second as run at once.
     */
    public Stage<I, O> retryBudget(RetryBudget budget) {
        return with(settings.withRetryBudget(Objects.requireNonNull(budget, "budget")));
    }

    /** How long a batch waits to fill up; 100 ms by default. Without meaning for other stages. */
    public Stage<I, O> batchWait(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("batch wait of stage '" + name + "' must not be negative, got " + wait);
        }
        return with(settings.withBatchWait(wait));
    }

    /**
     * What else decides the stage's results, such as a model's name or a prompt's version: part of {@link #configHash},
     * which every line of the audit trail carries.
     */
    public Stage<I, O> config(String text) {
        return with(settings.withConfig(Objects.requireNonNull(text, "text")));
    }

    /** The name, unique in its pipeline. */
    public String name() {
        return name;
    }

    /** The policy in use. */
    public RetryPolicy policy() {
        return settings.policy();
    }

    /** How many attempts run at once. */
    public int concurrency() {
        return settings.concurrency();
    }

    /** How long an attempt may take, if limited. */
    public Optional<Duration> timeLimit() {
        return Optional.ofNullable(settings.timeLimit());
    }

    /** Twelve hexadecimal digits that change when the name, the kind, the settings or the {@link #config} do. */
    public String configHash() {
        return settings.hash(name, work.describe());
    }

    /** Returns how often the stage may be called, if limited. */
    public Optional<RateLimit> rateLimit() {
        return Optional.ofNullable(settings.rateLimit());
    }

    /** Returns the cost limit of the stage's calls, if there is one. */
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

    /** Returns the budget that holds back retries, if there is one. */
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
        // Lists that the function may change, as those of a larger batch.
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

    /** Null: the codec of the stage before. */
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
