package io.redrive.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Runs calls under a {@link RetryPolicy}. Immutable and thread-safe: make one for each kind of call and keep it. Every
 * method that changes something returns a new {@code Retry}.
 *
 * <p>The parts compose in one fixed order, whatever the order they were given in ({@link #describe()} shows it): the
 * circuit breaker sees the whole call, inside it the policy retries as far as the budget allows, and the time limit holds
 * for each attempt.
 *
 * <pre>{@code
 * Retry payments = Retry.with(policy).named("payments").timeout(Duration.ofSeconds(2)).breaker(breaker);
 * Receipt receipt = payments.call(() -> client.charge(order));
 * }</pre>
 *
 * <p>A {@linkplain #named named} retry logs: a warning for each retry, an error only for a final failure.
 */
public final class Retry {

    private final RetryPolicy policy;
    private final String name;
    private final Duration attemptTimeout;
    private final CircuitBreaker breaker;
    private final RetryBudget budget;
    private final List<RetryListener> added;
    private final List<RetryListener> listeners;
    private final Time time;
    private final RandomGenerator random;
    private final ContextCarrier context;
    private final boolean watched;
    private final boolean bare;

    private Retry(Parts parts) {
        policy = parts.policy;
        name = parts.name;
        attemptTimeout = parts.attemptTimeout;
        breaker = parts.breaker;
        budget = parts.budget;
        added = List.copyOf(parts.added);
        time = parts.time;
        random = parts.random;
        context = parts.context;
        List<RetryListener> all = new ArrayList<>(policy.callbacks());
        all.addAll(added);
        if (!name.isEmpty()) {
            all.add(RetryListener.logging());
        }
        listeners = List.copyOf(all);
        watched = attemptTimeout != null || !listeners.isEmpty();
        bare = !watched && breaker == null && budget == null && !policy.hasTtl() && !policy.looksAtResults();
    }

    /** A retry under {@code policy}, with nothing around it. */
    public static Retry with(RetryPolicy policy) {
        Parts parts = new Parts();
        parts.policy = Objects.requireNonNull(policy, "policy");
        return new Retry(parts);
    }

    /** Gives the calls a name, for logs and metrics; with a name they are logged. */
    public Retry named(String newName) {
        if (newName.isBlank()) {
            throw new IllegalArgumentException("retry name must not be blank");
        }
        return changed(parts -> parts.name = newName);
    }

    /**
     * Limits each attempt; a blocking one is interrupted and fails with {@link AttemptTimeoutException}. Code that ignores
     * interrupts is not cut off: its attempt counts as timed out when it returns.
     */
    public Retry timeout(Duration limit) {
        DurationText.requirePositive("timeout", limit);
        return changed(parts -> parts.attemptTimeout = limit);
    }

    /** Puts a circuit breaker around the whole call, retries included. */
    public Retry breaker(CircuitBreaker circuitBreaker) {
        return changed(parts -> parts.breaker = circuitBreaker);
    }

    /** Allows retries only as far as this shared budget reaches. */
    public Retry budget(RetryBudget retryBudget) {
        return changed(parts -> parts.budget = retryBudget);
    }

    /** Adds a listener. */
    public Retry listener(RetryListener listener) {
        Objects.requireNonNull(listener, "listener");
        return changed(parts -> parts.added.add(listener));
    }

    /** The clock to use, for tests. */
    public Retry time(Time clock) {
        return changed(parts -> parts.time = Objects.requireNonNull(clock, "clock"));
    }

    /** The source of jitter, for tests; must be thread-safe when this retry is shared between threads. */
    public Retry random(RandomGenerator generator) {
        return changed(parts -> parts.random = Objects.requireNonNull(generator, "generator"));
    }

    /** Carries thread-bound context into asynchronous attempts. */
    public Retry context(ContextCarrier carrier) {
        return changed(parts -> parts.context = Objects.requireNonNull(carrier, "carrier"));
    }

    /**
     * Calls until it succeeds or the policy gives up: returns the value, or throws the original exception of the last
     * attempt (earlier ones are suppressed in it). When the last attempt returned a value that {@code retryOnResult}
     * refuses, that value is returned.
     */
    public <T, X extends Exception> T call(Operation<T, X> operation) throws X {
        if (!bare) {
            return watched ? watchedCall(operation).valueOrThrow() : guardedCall(operation);
        }
        // The usual way: no clock is read and nothing allocated unless the first attempt fails.
        long moment = Exhaustions.moment();
        try {
            return operation.run();
        } catch (Throwable error) {
            return callAgain(operation, inProgress(0, false, 0), Exhaustions.failure(error, moment));
        }
    }

    /** {@link #call(Operation)} for work that returns nothing. */
    public <X extends Exception> void call(Action<X> action) throws X {
        Operation<Void, X> operation = () -> {
            action.run();
            return null;
        };
        call(operation);
    }

    /** Calls until it succeeds or the policy gives up, and tells how it ended; never throws what the call throws. */
    public <T> RetryResult<T> run(Operation<T, ?> operation) {
        long permit = enter();
        long start = time.nanos();
        CallInProgress call = inProgress(permit, true, start);
        if (permit == CircuitBreaker.REFUSED) {
            return new RetryResult.Failure<>(Reason.CIRCUIT_OPEN, call.refused(), 0, Duration.ZERO, null);
        }
        return new BlockingCall<T>(this, operation, call).run().result();
    }

    /** {@link #run(Operation)} for work that returns nothing. */
    public RetryResult<Void> run(Action<?> action) {
        Operation<Void, Exception> operation = () -> {
            action.run();
            return null;
        };
        return run(operation);
    }

    /** {@link #run(Operation)} under the name {@code operationName}. */
    public <T> RetryResult<T> execute(String operationName, Operation<T, ?> operation) {
        return named(operationName).run(operation);
    }

    /** {@link #run(Action)} under the name {@code operationName}. */
    public RetryResult<Void> execute(String operationName, Action<?> action) {
        return named(operationName).run(action);
    }

    /**
     * Calls something asynchronous until it succeeds or the policy gives up. No thread is held while an attempt is under
     * way or a wait goes on. The first attempt starts on the calling thread. Cancelling the future ends the call.
     */
    public <T> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<T>> operation) {
        return startForValue(operation, asyncExecutor());
    }

    /** Runs a blocking operation on {@code executor}, each attempt as a task of its own; waits hold no thread. */
    public <T> CompletableFuture<T> callAsync(Operation<T, ?> operation, Executor executor) {
        return startForValue(tasks(operation, executor), Runnable::run);
    }

    /** {@link #callAsync(Supplier)} that tells how it ended; the future fails only when it is cancelled. */
    public <T> CompletableFuture<RetryResult<T>> runAsync(Supplier<? extends CompletionStage<T>> operation) {
        return startForResult(operation, asyncExecutor());
    }

    /** {@link #callAsync(Operation, Executor)} that tells how it ended. */
    public <T> CompletableFuture<RetryResult<T>> runAsync(Operation<T, ?> operation, Executor executor) {
        return startForResult(tasks(operation, executor), Runnable::run);
    }

    /** The parts in the order in which they act, from the outside in. */
    public String describe() {
        List<String> order = new ArrayList<>();
        if (breaker != null) {
            order.add(breaker.toString());
        }
        order.add((name.isEmpty() ? "retry: " : "retry '" + name + "': ") + policy);
        if (budget != null) {
            order.add(budget.toString());
        }
        if (attemptTimeout != null) {
            order.add("attempt time limit " + DurationText.format(attemptTimeout));
        }
        order.add("call");
        return String.join(" > ", order);
    }

    /** {@link #describe()}. */
    @Override
    public String toString() {
        return describe();
    }

    /** The policy in use. */
    public RetryPolicy policy() {
        return policy;
    }

    // ---- What BlockingCall, AsyncCall and CallInProgress need ----

    String name() {
        return name;
    }

    Duration attemptTimeout() {
        return attemptTimeout;
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    RetryBudget budget() {
        return budget;
    }

    Time time() {
        return time;
    }

    RandomGenerator random() {
        return random;
    }

    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    void tell(Consumer<RetryListener> event) {
        Listeners.tell(listeners, event);
    }

    /** Asks the breaker and notes a first attempt with the budget; the breaker's permit, or its refusal. */
    long enter() {
        long permit = breaker == null ? 0 : breaker.tryEnter();
        if (budget != null && permit != CircuitBreaker.REFUSED) {
            budget.firstAttempt();
        }
        return permit;
    }

    @SuppressWarnings("unchecked")
    static <X extends Throwable> X sneaky(Throwable error) throws X {
        throw (X) error;
    }

    /** With a breaker, a budget, a time limit or an eye on results, but nobody to tell: a success allocates nothing. */
    private <T, X extends Exception> T guardedCall(Operation<T, X> operation) {
        long permit = enter();
        if (permit == CircuitBreaker.REFUSED) {
            throw inProgress(permit, false, 0).refused();
        }
        boolean timed = policy.hasTtl();
        long start = timed ? time.nanos() : 0;
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

    private <T> T callAgain(Operation<T, ?> operation, CallInProgress call, Failure first) {
        return new BlockingCall<T>(this, operation, call).continueAfter(first).valueOrThrow();
    }

    private <T> BlockingCall<T> watchedCall(Operation<T, ?> operation) {
        long permit = enter();
        CallInProgress call = inProgress(permit, true, time.nanos());
        if (permit == CircuitBreaker.REFUSED) {
            throw call.refused();
        }
        return new BlockingCall<T>(this, operation, call).run();
    }

    private CallInProgress inProgress(long permit, boolean timed, long start) {
        return new CallInProgress(this, permit, timed, start);
    }

    private <T> CompletableFuture<T> startForValue(
            Supplier<? extends CompletionStage<T>> operation, Executor executor) {
        CompletableFuture<T> future = new CompletableFuture<>();
        new AsyncCall<>(this, operation, executor, new AsyncEnding.WithValue<>(future)).start();
        return future;
    }

    private <T> CompletableFuture<RetryResult<T>> startForResult(
            Supplier<? extends CompletionStage<T>> operation, Executor executor) {
        CompletableFuture<RetryResult<T>> future = new CompletableFuture<>();
        new AsyncCall<>(this, operation, executor, new AsyncEnding.WithResult<>(future)).start();
        return future;
    }

    private <T> Supplier<CompletionStage<T>> tasks(Operation<T, ?> operation, Executor executor) {
        ContextCarrier.Captured captured = captureContext();
        return () -> {
            InterruptibleTask<T> task = new InterruptibleTask<>(operation);
            executor.execute(captured == null ? task : captured.around(task));
            return task;
        };
    }

    private ContextCarrier.Captured captureContext() {
        return context == null ? null : context.capture();
    }

    private Executor asyncExecutor() {
        ContextCarrier.Captured captured = captureContext();
        return captured == null
                ? AsyncExecutor.SHARED
                : attempt -> AsyncExecutor.SHARED.execute(captured.around(attempt));
    }

    private Retry changed(Consumer<Parts> change) {
        Parts parts = new Parts();
        parts.policy = policy;
        parts.name = name;
        parts.attemptTimeout = attemptTimeout;
        parts.breaker = breaker;
        parts.budget = budget;
        parts.added.addAll(added);
        parts.time = time;
        parts.random = random;
        parts.context = context;
        change.accept(parts);
        return new Retry(parts);
    }

    private static final class Parts {
        private RetryPolicy policy;
        private String name = "";
        private Duration attemptTimeout;
        private CircuitBreaker breaker;
        private RetryBudget budget;
        private final List<RetryListener> added = new ArrayList<>();
        private Time time = Time.system();
        private RandomGenerator random;
        private ContextCarrier context;
    }

    /** Where later asynchronous attempts start: never on the timer's thread, which an attempt might block. */
    private static final class AsyncExecutor {
        static final Executor SHARED =
                VirtualThreads.newExecutor().map(Executor.class::cast).orElseGet(ForkJoinPool::commonPool);
    }
}
