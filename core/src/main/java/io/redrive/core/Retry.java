package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls under a {@link RetryPolicy}. Immutable and thread-safe: create one for each kind of call and keep it.
 * Every method that changes a part returns a new {@code Retry}.
 *
 * <p>The parts act in one fixed order, whatever the order of the calls that set them ({@link #describe()} shows the
 * order): the circuit breaker sees the whole call, inside the breaker the policy retries as far as the budget allows,
 * and the time limit holds for each attempt.
 *
 * <pre>{@code
 * Retry payments = Retry.with(policy).named("payments").timeout(Duration.ofSeconds(2)).breaker(breaker);
 * Receipt receipt = payments.call(() -> client.charge(order));
 * }</pre>
 *
 * <p>A {@linkplain #named named} retry logs a warning for each retry and an error for a final failure.
 */
public final class Retry {

    private final CallSettings settings;
    private final List<RetryListener> added;
    private final @Nullable ContextCarrier context;
    /** True when a call must be timed and reported from its first attempt. */
    private final boolean watched;
    /** True when a first attempt that returns needs no further step. */
    private final boolean bare;

    private Retry(RetryParts parts) {
        settings = parts.callSettings();
        added = List.copyOf(parts.added);
        context = parts.context;
        RetryPolicy policy = settings.policy();
        watched = settings.attemptTimeout() != null || settings.hasListeners();
        bare = !watched
                && settings.breaker() == null
                && settings.budget() == null
                && !policy.hasTtl()
                && !policy.looksAtResults();
    }

    /** Returns a retry under {@code policy}, without a name, breaker, budget, time limit or listener. */
    public static Retry with(RetryPolicy policy) {
        return new Retry(new RetryParts(Objects.requireNonNull(policy, "policy")));
    }

    /**
     * Names the calls, for logs and metrics. Default: no name, and calls are not logged. Replaces an earlier name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Retry named(String newName) {
        if (newName.isBlank()) {
            throw new IllegalArgumentException("retry name must not be blank");
        }
        return changed(parts -> parts.name = newName);
    }

    /**
     * Limits the time of each attempt. Default: no limit. A blocking attempt is interrupted and fails with {@link
     * AttemptTimeoutException}. Code that ignores interrupts runs on; the attempt fails when that code returns.
     * Replaces an earlier limit.
     *
     * @throws IllegalArgumentException if the limit is not longer than zero
     */
    public Retry timeout(Duration limit) {
        DurationText.requirePositive("timeout", limit);
        return changed(parts -> parts.attemptTimeout = limit);
    }

    /** Puts a circuit breaker around the whole call, retries included. Default: none. Replaces an earlier breaker. */
    public Retry breaker(CircuitBreaker circuitBreaker) {
        return changed(parts -> parts.breaker = circuitBreaker);
    }

    /**
     * Takes each retry from this shared budget; without a token the call gives up. Default: none. Replaces an earlier
     * budget.
     */
    public Retry budget(RetryBudget retryBudget) {
        return changed(parts -> parts.budget = retryBudget);
    }

    /** Adds a listener to the listeners given before. */
    public Retry listener(RetryListener listener) {
        Objects.requireNonNull(listener, "listener");
        return changed(parts -> parts.added.add(listener));
    }

    /** Sets the clock, for tests. Default: {@link Time#system()}. */
    public Retry time(Time clock) {
        return changed(parts -> parts.time = Objects.requireNonNull(clock, "clock"));
    }

    /**
     * Sets the source of jitter, for tests. Default: the thread's own source. A {@code Retry} that threads share
     * needs a thread-safe source.
     */
    public Retry random(RandomGenerator generator) {
        return changed(parts -> parts.random = Objects.requireNonNull(generator, "generator"));
    }

    /** Carries thread-bound context into asynchronous attempts. Default: none. Replaces an earlier carrier. */
    public Retry context(ContextCarrier carrier) {
        return changed(parts -> parts.context = Objects.requireNonNull(carrier, "carrier"));
    }

    /**
     * Runs the operation until an attempt succeeds or the policy gives up. Returns the value of the successful
     * attempt, or throws the original exception of the last attempt, with earlier exceptions suppressed. When {@code
     * retryOnResult} refuses even the last value, returns that value.
     *
     * @throws CircuitOpenException if the circuit breaker refuses the call
     * @throws X the original exception of the last attempt
     */
    public <T extends @Nullable Object, X extends Exception> T call(Operation<T, X> operation) throws X {
        if (!bare) {
            return watched ? watchedCall(operation).valueOrThrow() : guardedCall(operation);
        }
        // The success path reads no clock and allocates no memory unless the first attempt fails.
        long moment = Exhaustions.moment();
        try {
            return operation.run();
        } catch (Throwable error) {
            return callAgain(operation, inProgress(0, false, 0), Exhaustions.failure(error, moment));
        }
    }

    /** {@link #call(Operation)} for work that returns nothing. */
    public <X extends Exception> void call(Action<X> action) throws X {
        call(operationOf(action));
    }

    /**
     * Runs the operation until an attempt succeeds or the policy gives up, and returns how the call ended. Never
     * throws an exception of the operation.
     */
    public <T extends @Nullable Object> RetryResult<T> run(Operation<T, ?> operation) {
        long permit = settings.enter();
        long start = settings.time().nanos();
        CallInProgress call = inProgress(permit, true, start);
        if (permit == CircuitBreaker.REFUSED) {
            return new RetryResult.Failure<>(Reason.CIRCUIT_OPEN, call.refused(), 0, Duration.ZERO, null);
        }
        return new BlockingCall<T>(settings, operation, call).run().result();
    }

    /** {@link #run(Operation)} for work that returns nothing. */
    public RetryResult<@Nullable Void> run(Action<?> action) {
        return run(operationOf(action));
    }

    /** {@link #run(Operation)} under the name {@code operationName}. */
    public <T extends @Nullable Object> RetryResult<T> execute(String operationName, Operation<T, ?> operation) {
        return named(operationName).run(operation);
    }

    /** {@link #run(Action)} under the name {@code operationName}. */
    public RetryResult<@Nullable Void> execute(String operationName, Action<?> action) {
        return named(operationName).run(action);
    }

    /**
     * Runs an asynchronous operation until an attempt succeeds or the policy gives up. Neither an attempt under way
     * nor a wait holds a thread. The first attempt starts on the calling thread. Cancelling the future ends the call.
     */
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Supplier<? extends CompletionStage<T>> operation) {
        return startForValue(operation, asyncExecutor());
    }

    /** Runs a blocking operation on {@code executor}, each attempt as one task. Waits hold no thread. */
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(Operation<T, ?> operation, Executor executor) {
        return startForValue(tasks(operation, executor), Runnable::run);
    }

    /** {@link #callAsync(Supplier)} with the result as a value: the future fails only when cancelled. */
    public <T extends @Nullable Object> CompletableFuture<RetryResult<T>> runAsync(
            Supplier<? extends CompletionStage<T>> operation) {
        return startForResult(operation, asyncExecutor());
    }

    /** {@link #callAsync(Operation, Executor)} with the result as a value. */
    public <T extends @Nullable Object> CompletableFuture<RetryResult<T>> runAsync(
            Operation<T, ?> operation, Executor executor) {
        return startForResult(tasks(operation, executor), Runnable::run);
    }

    /** Returns the parts in the order in which they act, from the outside in. */
    public String describe() {
        List<String> order = new ArrayList<>();
        if (settings.breaker() != null) {
            order.add(settings.breaker().toString());
        }
        String name = settings.name();
        order.add((name.isEmpty() ? "retry: " : "retry '" + name + "': ") + settings.policy());
        if (settings.budget() != null) {
            order.add(settings.budget().toString());
        }
        if (settings.attemptTimeout() != null) {
            order.add("attempt time limit " + DurationText.format(settings.attemptTimeout()));
        }
        order.add("call");
        return String.join(" > ", order);
    }

    /** {@link #describe()}. */
    @Override
    public String toString() {
        return describe();
    }

    /** Returns the policy. */
    public RetryPolicy policy() {
        return settings.policy();
    }

    /**
     * Runs the first attempt of a call that has a breaker, a budget, a limit of total time or a result predicate, but
     * no listeners and no attempt time limit. A success allocates nothing.
     */
    private <T extends @Nullable Object, X extends Exception> T guardedCall(Operation<T, X> operation) {
        long permit = settings.enter();
        if (permit == CircuitBreaker.REFUSED) {
            throw inProgress(permit, false, 0).refused();
        }
        RetryPolicy policy = settings.policy();
        CircuitBreaker breaker = settings.breaker();
        boolean timed = policy.hasTtl();
        long start = timed ? settings.time().nanos() : 0;
        long moment = Exhaustions.moment();
        Failure failure;
        try {
            T value = operation.run();
            if (!policy.retriesResult(value)) {
                if (breaker != null) {
                    breaker.succeeded(permit);
                }
                return value;
            }
            failure = Failure.result(value);
        } catch (Throwable error) {
            failure = Exhaustions.failure(error, moment);
        }
        return callAgain(operation, inProgress(permit, timed, start), failure);
    }

    private <T extends @Nullable Object> T callAgain(Operation<T, ?> operation, CallInProgress call, Failure first) {
        return new BlockingCall<T>(settings, operation, call)
                .continueAfter(first)
                .valueOrThrow();
    }

    private <T extends @Nullable Object> BlockingCall<T> watchedCall(Operation<T, ?> operation) {
        long permit = settings.enter();
        CallInProgress call = inProgress(permit, true, settings.time().nanos());
        if (permit == CircuitBreaker.REFUSED) {
            throw call.refused();
        }
        return new BlockingCall<T>(settings, operation, call).run();
    }

    @SuppressWarnings("NullAway") // Void has no value but null.
    private static <X extends Exception> Operation<@Nullable Void, X> operationOf(Action<X> action) {
        return () -> {
            action.run();
            return null;
        };
    }

    private CallInProgress inProgress(long permit, boolean timed, long start) {
        return new CallInProgress(settings, permit, timed, start);
    }

    private <T extends @Nullable Object> CompletableFuture<T> startForValue(
            Supplier<? extends CompletionStage<T>> operation, Executor executor) {
        CompletableFuture<T> future = new CompletableFuture<>();
        new AsyncCall<>(settings, operation, executor, new AsyncEnding.WithValue<>(future)).start();
        return future;
    }

    private <T extends @Nullable Object> CompletableFuture<RetryResult<T>> startForResult(
            Supplier<? extends CompletionStage<T>> operation, Executor executor) {
        CompletableFuture<RetryResult<T>> future = new CompletableFuture<>();
        new AsyncCall<>(settings, operation, executor, new AsyncEnding.WithResult<>(future)).start();
        return future;
    }

    private <T extends @Nullable Object> Supplier<CompletionStage<T>> tasks(
            Operation<T, ?> operation, Executor executor) {
        ContextCarrier.@Nullable Captured captured = captureContext();
        return () -> {
            InterruptibleTask<T> task = new InterruptibleTask<>(operation);
            executor.execute(captured == null ? task : captured.around(task));
            return task;
        };
    }

    private ContextCarrier.@Nullable Captured captureContext() {
        return context == null ? null : context.capture();
    }

    private Executor asyncExecutor() {
        ContextCarrier.@Nullable Captured captured = captureContext();
        return captured == null ? AsyncCall.EXECUTOR : attempt -> AsyncCall.EXECUTOR.execute(captured.around(attempt));
    }

    private Retry changed(Consumer<RetryParts> change) {
        RetryParts parts = new RetryParts(settings.policy());
        parts.name = settings.name();
        parts.attemptTimeout = settings.attemptTimeout();
        parts.breaker = settings.breaker();
        parts.budget = settings.budget();
        parts.added.addAll(added);
        parts.time = settings.time();
        parts.random = settings.random();
        parts.context = context;
        change.accept(parts);
        return new Retry(parts);
    }
}
