package io.redrive.items.run;

import io.redrive.core.CostLimit;
import io.redrive.core.Failure;
import io.redrive.core.Operation;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import io.redrive.core.Signal;
import io.redrive.core.Time;
import io.redrive.core.TimeLimit;
import io.redrive.items.CallCost;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.PayloadTooLargeException;
import io.redrive.items.SampleContext;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of stages. A worker takes released calls from its lane, one after the other, until the lane has none, and queues
 * the results for the coordinator. Workers decode and encode the payloads, to keep that work off the coordinator's thread.
 */
final class Workers {

    private final String run;
    private final ItemPipeline<?, ?> pipeline;
    private final Executor executor;
    private final Time time;
    private final Signal signal;
    private final Retry oneAttempt;
    private final Queue<CallResult> results = new ConcurrentLinkedQueue<>();

    Workers(String run, ItemPipeline<?, ?> pipeline, Background background) {
        this.run = run;
        this.pipeline = pipeline;
        executor = background.executor();
        time = background.time();
        signal = background.signal();
        oneAttempt = Retry.with(RetryPolicy.noRetry()).time(time);
    }

    /** Starts as many workers as the lane may have and has calls for. */
    void start(Lane lane) {
        while (lane.startsWorker()) {
            try {
                executor.execute(() -> work(lane));
            } catch (RejectedExecutionException e) {
                // The executor is the user's, and full or shut down: the calls stay released, the next step tries
                // again.
                lane.workerRefused();
                return;
            }
        }
    }

    /** The result of the next call that has ended; null when there is none. */
    @Nullable
    CallResult poll() {
        return results.poll();
    }

    private void work(Lane lane) {
        Optional<Duration> limit = lane.stage.timeLimit();
        if (limit.isEmpty()) {
            work(lane, Operation::run);
            return;
        }
        try (TimeLimit each = new TimeLimit(time, limit.get())) {
            work(lane, each::call);
        }
    }

    /** Makes a call, within the time limit of the stage. */
    private interface Caller {
        List<StageOutcome<byte[]>> call(Operation<List<StageOutcome<byte[]>>, Exception> operation) throws Exception;
    }

    private void work(Lane lane, Caller caller) {
        for (List<Sample> samples = lane.take(); samples != null; samples = lane.take()) {
            CallResult result = callSafely(lane, samples, caller);
            lane.ended(result);
            results.add(result);
            if (!result.askedToWait().isZero() || lane.isDrained()) {
                signal.raise();
            } else {
                signal.raiseSoon();
            }
        }
    }

    /** Makes a call and turns every exception into a failed call: a worker that died would lose its samples. */
    private CallResult callSafely(Lane lane, List<Sample> samples, Caller caller) {
        Instant began = time.now();
        try {
            return lane.costLimit == null
                    ? call(lane, samples, caller, CallCost.NONE)
                    : callWithinCost(lane, lane.costLimit, lane.stage, samples, caller);
        } catch (Throwable e) {
            return CallResult.threw(lane, samples, Failure.thrown(e), began, Duration.ZERO);
        }
    }

    @SuppressWarnings("unchecked")
    private <I> CallResult callWithinCost(
            Lane lane, CostLimit limit, Stage<I, ?> stage, List<Sample> samples, Caller caller) {
        Codec<I> before = (Codec<I>) pipeline.codecBefore(lane.index);
        List<I> values =
                samples.stream().map(sample -> before.decode(sample.payload())).toList();
        Optional<CallReservation> reserved;
        try {
            reserved = CallReservation.await(limit, stage, values, lane::isHalted, time);
        } catch (InterruptedException e) {
            // As when the stage itself is interrupted: the thread goes on with the next call.
            reserved = Optional.empty();
        }
        if (reserved.isEmpty()) {
            return CallResult.interrupted(lane, samples, time.now(), Duration.ZERO);
        }
        CallReservation reservation = reserved.get();
        CallResult result;
        try {
            result = call(lane, samples, caller, reservation);
        } finally {
            // A stage that ignored its time limit may report a cost later; the reservation ignores late reports.
            reservation.close();
        }
        return result.costing(reservation.spent(stage));
    }

    private CallResult call(Lane lane, List<Sample> samples, Caller caller, CallCost cost) {
        Instant began = time.now();
        RetryResult<List<StageOutcome<byte[]>>> result =
                oneAttempt.run(() -> caller.call(() -> apply(lane, lane.stage, samples, cost)));
        if (result instanceof RetryResult.Success<List<StageOutcome<byte[]>>> success) {
            return CallResult.answered(lane, samples, success.value(), began, result.elapsed());
        }
        RetryResult.Failure<?> failure = (RetryResult.Failure<?>) result;
        if (failure.reason() == Reason.INTERRUPTED) {
            // Clears the flag, for the next call on this thread.
            Thread.interrupted();
            return CallResult.interrupted(lane, samples, began, result.elapsed());
        }
        // A call without a retry on results fails by an exception only.
        Throwable thrown = Objects.requireNonNull(failure.lastException());
        return CallResult.threw(lane, samples, Failure.thrown(thrown), began, result.elapsed());
    }

    @SuppressWarnings("unchecked")
    private <I, O> List<StageOutcome<byte[]>> apply(Lane lane, Stage<I, O> stage, List<Sample> samples, CallCost cost)
            throws Exception {
        Codec<I> before = (Codec<I>) pipeline.codecBefore(lane.index);
        Codec<O> after = (Codec<O>) pipeline.codecBefore(lane.index + 1);
        if (samples.size() == 1) {
            Sample sample = samples.get(0);
            return List.of(encoded(stage.call(before.decode(sample.payload()), contextOf(sample, cost)), after, stage));
        }
        List<I> values = new ArrayList<>(samples.size());
        List<SampleContext> contexts = new ArrayList<>(samples.size());
        for (Sample sample : samples) {
            values.add(before.decode(sample.payload()));
            contexts.add(contextOf(sample, cost));
        }
        List<StageOutcome<byte[]>> outcomes = new ArrayList<>(samples.size());
        for (StageOutcome<O> outcome : stage.call(values, contexts)) {
            outcomes.add(encoded(outcome, after, stage));
        }
        return outcomes;
    }

    private SampleContext contextOf(Sample sample, CallCost cost) {
        return new SampleContext(run, sample.ordinal(), sample.id(), sample.attempt(), cost);
    }

    @SuppressWarnings("unchecked")
    private <O> StageOutcome<byte[]> encoded(StageOutcome<O> outcome, Codec<O> codec, Stage<?, O> stage) {
        Objects.requireNonNull(outcome, "a stage must give an outcome for each sample; skip the sample, or throw");
        if (!(outcome instanceof StageOutcome.Value<O> made)) {
            return (StageOutcome<byte[]>) outcome;
        }
        byte[] bytes = codec.encode(made.value());
        if (bytes.length > pipeline.maxPayload()) {
            return StageOutcome.failed(Failure.thrown(new PayloadTooLargeException(
                    "the result of stage '" + stage.name() + "'", bytes.length, pipeline.maxPayload())));
        }
        return StageOutcome.value(bytes);
    }
}
