package io.redrive.items.run;

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

/**
 * Runs stages, and nothing else: a worker takes released samples from its lane, one call after the other, until there are
 * no more, and queues what became of them for the coordinator. Values are decoded and encoded here, not by the
 * coordinator.
 */
final class Workers {

    private final String run;
    private final ItemPipeline<?, ?> pipeline;
    private final Executor executor;
    private final Time time;
    private final Signal signal;
    private final Retry oneAttempt;
    private final Queue<Handled> finished = new ConcurrentLinkedQueue<>();

    Workers(String run, ItemPipeline<?, ?> pipeline, Executor executor, Time time, Signal signal) {
        this.run = run;
        this.pipeline = pipeline;
        this.executor = executor;
        this.time = time;
        this.signal = signal;
        oneAttempt = Retry.with(RetryPolicy.noRetry()).time(time);
    }

    /** Starts as many workers as the lane may have and has work for. */
    void start(Lane lane) {
        while (lane.startsWorker()) {
            try {
                executor.execute(() -> work(lane));
            } catch (RejectedExecutionException e) {
                // Somebody else's executor, full or shut down: the samples stay released, the next step tries again.
                lane.workerRefused();
                return;
            }
        }
    }

    /** The next call that has ended; null when there is none. */
    Handled poll() {
        return finished.poll();
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

    /** Makes a call, within its limit if there is one. */
    private interface Caller {
        List<StageOutcome<byte[]>> call(Operation<List<StageOutcome<byte[]>>, Exception> operation) throws Exception;
    }

    private void work(Lane lane, Caller caller) {
        for (List<Sample> samples = lane.take(); samples != null; samples = lane.take()) {
            Handled handled = callSafely(lane, samples, caller);
            boolean asked = !handled.askedToWait().isZero();
            if (asked) {
                lane.askedToWait();
            }
            finished.add(handled);
            if (asked || lane.isDrained()) {
                signal.raise();
            } else {
                signal.raiseSoon();
            }
        }
    }

    /** A worker that died would take its samples with it: whatever is thrown is how the call failed. */
    private Handled callSafely(Lane lane, List<Sample> samples, Caller caller) {
        Instant began = time.now();
        try {
            return call(lane, samples, caller);
        } catch (Throwable e) {
            return new Handled(lane, samples, null, Failure.thrown(e), began, Duration.ZERO);
        }
    }

    private Handled call(Lane lane, List<Sample> samples, Caller caller) {
        return lane.costLimit == null
                ? call(lane, samples, caller, CallCost.NONE)
                : callWithinCost(lane, lane.stage, samples, caller);
    }

    @SuppressWarnings("unchecked")
    private <I> Handled callWithinCost(Lane lane, Stage<I, ?> stage, List<Sample> samples, Caller caller) {
        Codec<I> before = (Codec<I>) pipeline.codecBefore(lane.index);
        List<I> values =
                samples.stream().map(sample -> before.decode(sample.payload)).toList();
        try (CallReservation reserved = CallReservation.await(lane.costLimit, stage, values, lane::isHalted, time)
                .orElse(null)) {
            if (reserved == null) {
                return new Handled(lane, samples, null, null, time.now(), Duration.ZERO);
            }
            Handled handled = call(lane, samples, caller, reserved);
            // A stage that ignored its time limit may report yet: what is kept is what the limit counts.
            reserved.close();
            return handled.costing(reserved.spent(stage));
        } catch (InterruptedException e) {
            // As when the stage itself is interrupted: the thread goes on to the next sample.
            return new Handled(lane, samples, null, null, time.now(), Duration.ZERO);
        }
    }

    private Handled call(Lane lane, List<Sample> samples, Caller caller, CallCost cost) {
        Instant began = time.now();
        RetryResult<List<StageOutcome<byte[]>>> result =
                oneAttempt.run(() -> caller.call(() -> apply(lane, lane.stage, samples, cost)));
        if (result instanceof RetryResult.Success<List<StageOutcome<byte[]>>> success) {
            return new Handled(lane, samples, success.value(), null, began, result.elapsed());
        }
        RetryResult.Failure<?> failure = (RetryResult.Failure<?>) result;
        if (failure.reason() == Reason.INTERRUPTED) {
            // The thread goes on to the next sample, or back to its pool; the flag told us what it had to.
            Thread.interrupted();
            return new Handled(lane, samples, null, null, began, result.elapsed());
        }
        return new Handled(lane, samples, null, Failure.thrown(failure.lastException()), began, result.elapsed());
    }

    @SuppressWarnings("unchecked")
    private <I, O> List<StageOutcome<byte[]>> apply(Lane lane, Stage<I, O> stage, List<Sample> samples, CallCost cost)
            throws Exception {
        Codec<I> before = (Codec<I>) pipeline.codecBefore(lane.index);
        Codec<O> after = (Codec<O>) pipeline.codecBefore(lane.index + 1);
        if (samples.size() == 1) {
            Sample sample = samples.get(0);
            return List.of(encoded(stage.call(before.decode(sample.payload), contextOf(sample, cost)), after, stage));
        }
        List<I> values = new ArrayList<>(samples.size());
        List<SampleContext> contexts = new ArrayList<>(samples.size());
        for (Sample sample : samples) {
            values.add(before.decode(sample.payload));
            contexts.add(contextOf(sample, cost));
        }
        List<StageOutcome<byte[]>> outcomes = new ArrayList<>(samples.size());
        for (StageOutcome<O> outcome : stage.call(values, contexts)) {
            outcomes.add(encoded(outcome, after, stage));
        }
        return outcomes;
    }

    private SampleContext contextOf(Sample sample, CallCost cost) {
        return new SampleContext(run, sample.ordinal, sample.id, sample.failed + 1, cost);
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
