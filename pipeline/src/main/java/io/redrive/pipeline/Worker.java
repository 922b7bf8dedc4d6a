package io.redrive.pipeline;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Failure;
import io.redrive.core.Operation;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import io.redrive.core.Time;
import io.redrive.core.TimeLimit;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import io.redrive.events.activity.ActivityRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles events on one thread: asks validators, calls the handler, and asks the settler for the settlement. All user
 * code that an event needs (validators, interceptors, handlers, policies) runs here, and none of it on the thread that
 * extends leases. Whatever user code throws, each claim ends exactly once.
 */
final class Worker implements AutoCloseable {

    /** The coordinator learns of the end of each call that takes so long. */
    private static final long SLOW_NANOS = 1_000_000;

    private final Tools tools;
    private final Time time;
    private final Thread thread = Thread.currentThread();
    private final Retry oneAttempt;
    private final TimeLimit limit;
    /** Claims of the current assignment that have not ended. */
    private final List<Claim> open = new ArrayList<>();

    /** True when a call of the current assignment took {@link #SLOW_NANOS} or longer. */
    private boolean wasSlow;

    /** The last look at the clock; null before the first. */
    private @Nullable Instant looked;

    /** Time of the last look by the monotonic clock. */
    private long lookedAt;

    /** The exception or error that the current operation threw; null when it threw none. */
    private @Nullable Throwable thrown;

    private volatile @Nullable Call call;

    /**
     * Dependencies that the workers of a pipeline share.
     *
     * @param stopping true once the pipeline stops: an interrupted handler was interrupted by the stop
     * @param ended takes the claims that ended
     * @param wake wakes the coordinator
     */
    record Tools(
            Time time,
            Duration timeLimit,
            AttemptInterceptor around,
            Validators validators,
            Settler settler,
            Ownership ownership,
            Listeners listeners,
            ActivityRecorder activity,
            BooleanSupplier stopping,
            Consumer<ClaimEnd> ended,
            Runnable wake) {

        /** Tells listeners of the end of a batch, and counts the batch. */
        void batchEnded(BatchProgress batch) {
            PipelineListener.Batched ended = batch.end(time.nanos(), time.now());
            activity.batch(batch.name(), ended.outcome() == PipelineListener.BatchOutcome.TIMEOUT, ended.at());
            listeners.tell(listener -> listener.onBatch(ended));
        }
    }

    /** The handler call under way: its claims, its thread, and its begin by the monotonic clock. */
    record Call(List<Claim> claims, Thread thread, long since) {}

    Worker(Tools tools) {
        this.tools = tools;
        time = tools.time();
        oneAttempt = Retry.with(RetryPolicy.noRetry()).time(time);
        limit = new TimeLimit(time, tools.timeLimit());
    }

    /** Returns the call under way; null between calls. */
    @Nullable
    Call call() {
        return call;
    }

    void work(Assignment work) {
        BatchProgress batch = work.batch();
        if (batch.begins()) {
            PipelineListener.Batched began = batch.start(time.nanos(), time.now());
            tools.listeners().tell(listener -> listener.onBatch(began));
        }
        work.claims().forEach(open::add);
        wasSlow = false;
        try {
            handle(work.claims(), batch);
        } catch (RuntimeException | Error e) {
            // Out of memory, or a bug in the pipeline. No event may stay claimed for ever.
            List.copyOf(open).forEach(claim -> endWith(e, claim, batch));
        } finally {
            call = null;
            open.clear();
            ended(work);
        }
    }

    @Override
    public void close() {
        limit.close();
    }

    private void ended(Assignment work) {
        BatchProgress batch = work.batch();
        if (batch.ends(work.claims().size())) {
            tools.batchEnded(batch);
        }
        // The slots wake the coordinator once for many quick events.
        if (wasSlow) {
            tools.wake().run();
        }
    }

    private void handle(List<Claim> claims, BatchProgress batch) {
        if (batch.handler() instanceof Handlers.Registration.Single single) {
            handleOne(claims, batch, single);
        } else {
            handleTogether(valid(claims, batch), batch, (Handlers.Registration.Batched) batch.handler());
        }
    }

    /** An assignment for a handler of single events has one claim. */
    private void handleOne(List<Claim> alone, BatchProgress batch, Handlers.Registration.Single handler) {
        Claim claim = alone.get(0);
        long nanos = time.nanos();
        if (mayBegin(claim, batch, nanos)) {
            @Nullable AdaptiveLimit adaptive = handler.limit().orElse(null);
            if (adaptive != null) {
                adaptive.began();
            }
            CallResult result = call(alone, nanos, () -> {
                tools.validators().check(claim.event());
                return tools.around().attempt(alone, () -> handler.handle(claim));
            });
            if (adaptive != null) {
                adaptive.ended(result.took(), ending(result.outcome()));
            }
            end(claim, result, batch);
        }
    }

    private static AdaptiveLimit.Ending ending(Outcome outcome) {
        if (outcome instanceof Outcome.Done) {
            return AdaptiveLimit.Ending.SUCCEEDED;
        }
        return outcome instanceof Outcome.Failed failed
                ? AdaptiveLimit.Ending.of(failed.failure())
                : AdaptiveLimit.Ending.FAILED;
    }

    /**
     * Runs validators event by event, each within the whole time limit: a slow event refuses no other event of the
     * batch.
     */
    private List<Claim> valid(List<Claim> claims, BatchProgress batch) {
        List<Claim> valid = new ArrayList<>();
        for (Claim claim : claims) {
            if (!tools.validators().concern(claim.event())) {
                valid.add(claim);
                continue;
            }
            long nanos = time.nanos();
            if (mayBegin(claim, batch, nanos)) {
                CallResult result = call(List.of(claim), nanos, () -> {
                    tools.validators().check(claim.event());
                    return Outcome.done();
                });
                if (result.outcome() instanceof Outcome.Done) {
                    valid.add(claim);
                } else {
                    end(claim, result, batch);
                }
            }
        }
        return valid;
    }

    private void handleTogether(List<Claim> given, BatchProgress progress, Handlers.Registration.Batched handler) {
        long nanos = time.nanos();
        List<Claim> claims =
                given.stream().filter(claim -> mayBegin(claim, progress, nanos)).toList();
        if (claims.isEmpty()) {
            return;
        }
        EventBatch batch = EventBatch.of(claims);
        CallResult result = call(
                claims,
                nanos,
                () -> tools.around().attempt(claims, () -> {
                    handler.handler().handle(batch);
                    return Outcome.done();
                }));
        List<Claim> unclear = new ArrayList<>();
        for (Claim claim : claims) {
            Outcome reported = batch.reported(claim.event()).orElse(null);
            if (reported != null) {
                end(claim, new CallResult.Ended(reported, result.began(), result.took()), progress);
            } else if (result instanceof CallResult.Ended
                    && result.outcome() instanceof Outcome.Failed
                    && claims.size() > 1) {
                unclear.add(claim);
            } else {
                end(claim, result, progress);
            }
        }
        if (!unclear.isEmpty()) {
            // The exception may be the fault of one event: halve the batch until that event is alone.
            int half = (unclear.size() + 1) / 2;
            handleTogether(unclear.subList(0, half), progress, handler);
            handleTogether(unclear.subList(half, unclear.size()), progress, handler);
        }
    }

    /**
     * Ends a claim that no handler may see and returns false: the pipeline stops, the lease may have run out, or the
     * deadline passed.
     */
    private boolean mayBegin(Claim claim, BatchProgress batch, long nanos) {
        if (tools.stopping().getAsBoolean() || !tools.ownership().holds(batch.losses(), nanos)) {
            settle(claim, new ClaimEnd.Decided(new Settlement.Release(claim)));
            return false;
        }
        if (claim.deadline().isEmpty()) {
            return true;
        }
        Instant now = time.now();
        if (Processor.isTooLate(claim, now)) {
            settle(claim, tools.settler().expired(claim, now));
            return false;
        }
        return true;
    }

    /**
     * Runs the operation within the time limit and clears the thread's interrupt afterwards. A call that returns needs no {@link
     * Retry}, which would look at the clock twice more; a call that throws asks one what the exception means.
     *
     * @param nanos the present time by the monotonic clock
     */
    private CallResult call(List<Claim> claims, long nanos, Operation<Outcome, Exception> operation) {
        Instant began = wallTime(nanos);
        call = new Call(claims, thread, nanos);
        thrown = null;
        @Nullable Outcome returned = null;
        RetryResult.@Nullable Failure<Outcome> failure = null;
        try {
            returned = limit.call(nanos, () -> rememberingThrown(operation));
        } catch (Throwable error) {
            failure = (RetryResult.Failure<Outcome>) oneAttempt.run(() -> rethrow(error));
        }
        // An interrupt meant for this call must reach neither the next event nor the pool of the thread.
        Thread.interrupted();
        Duration took = Duration.ofNanos(Math.max(0, time.nanos() - nanos));
        wasSlow |= took.toNanos() >= SLOW_NANOS;
        if (failure != null) {
            return failed(failure, began, took);
        }
        Outcome outcome = returned == null
                ? Outcome.failed(new IllegalStateException(
                        "an interceptor returned null instead of an Outcome; return what the attempt returned"))
                : returned;
        return new CallResult.Ended(outcome, began, took);
    }

    private CallResult failed(RetryResult.Failure<Outcome> failure, Instant began, Duration took) {
        Throwable error = failure.lastException();
        // A handler may throw the time-out of its own retry, which is not the handler's time limit.
        boolean timedOut = error instanceof AttemptTimeoutException && error != thrown;
        Outcome outcome = outcomeOf(failure.reason(), error);
        return timedOut ? new CallResult.TimedOut(outcome, began, took) : new CallResult.Ended(outcome, began, took);
    }

    /** Throws any exception or error as it is. */
    @SuppressWarnings("unchecked")
    private static <X extends Throwable> Outcome rethrow(Throwable error) throws X {
        throw (X) error;
    }

    /** Returns the time of the clock at these nanoseconds. Reads the clock at most once in {@link #SLOW_NANOS}. */
    private Instant wallTime(long nanos) {
        if (looked == null || nanos - lookedAt >= SLOW_NANOS) {
            looked = time.now();
            lookedAt = nanos;
        }
        return looked.plusNanos(nanos - lookedAt);
    }

    private Outcome rememberingThrown(Operation<Outcome, Exception> operation) throws Exception {
        try {
            return operation.run();
        } catch (Exception | Error e) {
            thrown = e;
            throw e;
        }
    }

    private Outcome outcomeOf(Reason reason, @Nullable Throwable error) {
        if (reason == Reason.INTERRUPTED) {
            // For example an executor that shuts down: retry, since the event is not the cause.
            return tools.stopping().getAsBoolean()
                    ? new Outcome.Interrupted()
                    : Outcome.retry("the handler was interrupted from outside");
        }
        return error instanceof Validators.Refusal refusal
                ? Outcome.invalid(refusal.error())
                : Outcome.failed(Objects.requireNonNull(error, "only a refused result has no exception"));
    }

    private void end(Claim claim, CallResult result, BatchProgress batch) {
        Instant now = result.began().plus(result.took());
        tools.activity().handled(claim.event().name(), result.took(), now);
        Settlement settlement = tools.settler().settlementOf(claim, result, now);
        Optional<AttemptRecord> failed = settlement.failedAttempt();
        if (failed.isPresent()) {
            batch.failed(claim, batchOutcome(result), failed.get());
        }
        settle(claim, new ClaimEnd.Decided(settlement));
    }

    /** Ends the claim as a failed attempt, or releases it when deciding fails too. */
    private void endWith(Throwable fault, Claim claim, BatchProgress batch) {
        try {
            end(claim, new CallResult.Ended(Outcome.failed(fault), time.now(), Duration.ZERO), batch);
        } catch (RuntimeException | Error e) {
            settle(claim, new ClaimEnd.Decided(new Settlement.Release(claim)));
        }
    }

    private void settle(Claim claim, ClaimEnd end) {
        for (int i = 0; i < open.size(); i++) {
            // Compares identity: equals would compare events.
            if (open.get(i) == claim) {
                open.remove(i);
                break;
            }
        }
        tools.ended().accept(end);
    }

    private static PipelineListener.BatchOutcome batchOutcome(CallResult result) {
        boolean timeout = result.outcome() instanceof Outcome.Failed failed
                && failed.failure() instanceof Failure.Thrown thrown
                && thrown.error() instanceof AttemptTimeoutException;
        return timeout ? PipelineListener.BatchOutcome.TIMEOUT : PipelineListener.BatchOutcome.ERROR;
    }
}
