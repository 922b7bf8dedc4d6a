package io.redrive.pipeline;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs handlers and queues what they say for the coordinator. Only the coordinator calls {@link #start},
 * {@link #finished}, {@link #idle} and {@link #hasRoom}; tasks touch nothing but the queues.
 *
 * <p>Each handler of a lane is one task on the executor. It takes the next batch by itself, so that fast handlers do not
 * stand idle while the coordinator waits for the store. How many batches may lie ready for them follows the load: as many as
 * were finished since the last step. Slow handlers find next to nothing there, and what comes later, of another source
 * perhaps, need not wait behind it.
 *
 * <p>A time limit is the core's: one attempt, interrupted when its time is up. A handler that ignores the interrupt keeps
 * its slot until it returns: slots bound how many such threads there can be.
 */
final class Workers {

    /** How long events wait that the executor had no room for. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final Executor executor;
    private final Profile profile;
    private final Time time;
    private final Retry oneAttempt;
    private final AttemptInterceptor around;
    private final Listeners listeners;
    private final Hold hold;
    private final Runnable wake;
    private final Queue<Handled> finished = new ConcurrentLinkedQueue<>();
    private final Map<Lane, Slots> lanes = new EnumMap<>(Lane.class);
    private volatile boolean stopping;

    Workers(
            Executor executor,
            Profile profile,
            Runner.Surroundings surroundings,
            AttemptInterceptor around,
            Hold hold,
            Runnable wake) {
        this.executor = executor;
        this.profile = profile;
        this.time = surroundings.time();
        this.listeners = surroundings.listeners();
        this.around = around;
        this.hold = hold;
        this.wake = wake;
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new Slots());
        }
        oneAttempt =
                Retry.with(RetryPolicy.noRetry()).timeout(profile.timeLimit()).time(time);
    }

    /** A batch, and how often the hold on claims had been lost when it was given. */
    private record Given(Batch batch, int losses) {}

    /** The handlers of one lane: their batches, and the tasks that run them. */
    private static final class Slots {
        private final Queue<Given> ready = new ConcurrentLinkedQueue<>();
        private final AtomicInteger batchesEnded = new AtomicInteger();
        private final AtomicInteger tasksEnded = new AtomicInteger();
        // The rest is the coordinator's own.
        private int batches;
        private int tasks;
        private int ahead;

        private void count() {
            ahead = batchesEnded.getAndSet(0);
            batches -= ahead;
            tasks -= tasksEnded.getAndSet(0);
        }
    }

    /** True when a handler of this lane has nothing to do. */
    boolean idle(Lane lane) {
        return lanes.get(lane).batches < profile.batcher(lane).handlers();
    }

    /** True when another full batch may be started, if only to lie ready. */
    boolean hasRoom(Lane lane) {
        Slots slots = lanes.get(lane);
        return slots.batches < profile.batcher(lane).handlers() + slots.ahead;
    }

    void start(Batch batch) {
        Slots slots = lanes.get(batch.lane());
        slots.batches++;
        slots.ready.add(new Given(batch, hold.losses()));
        startTasks(batch.lane());
    }

    /** Also for what was laid ready just when the last task found nothing more and ended. */
    private void startTasks(Lane lane) {
        Slots slots = lanes.get(lane);
        while (slots.tasks < profile.batcher(lane).handlers()) {
            Given given = slots.ready.poll();
            if (given == null) {
                return;
            }
            slots.tasks++;
            try {
                executor.execute(() -> runAll(given, slots));
            } catch (RuntimeException | Error e) {
                // Somebody else's executor, full or shut down, or no more threads to be had: not the events' fault, so
                // they look again later. Whatever it throws: nobody else knows of the batch.
                slots.tasksEnded.incrementAndGet();
                slots.batchesEnded.incrementAndGet();
                Instant now = time.now();
                given.batch()
                        .claims()
                        .forEach(
                                claim -> finished.add(new Handled(claim, Outcome.snooze(REFUSED), now, Duration.ZERO)));
            }
        }
    }

    /** What was handled since the last call. */
    List<Handled> finished() {
        for (Lane lane : Lane.values()) {
            lanes.get(lane).count();
            startTasks(lane);
        }
        List<Handled> handled = new ArrayList<>();
        for (Handled next = finished.poll(); next != null; next = finished.poll()) {
            handled.add(next);
        }
        return handled;
    }

    /** From now on an interrupted handler was stopped by us, and what has not begun does not begin. */
    void stopping() {
        stopping = true;
    }

    private void runAll(Given first, Slots slots) {
        try {
            for (Given next = first; next != null; next = slots.ready.poll()) {
                run(next, slots);
            }
        } finally {
            slots.tasksEnded.incrementAndGet();
            wake.run();
        }
    }

    private void run(Given given, Slots slots) {
        Batch batch = given.batch();
        Instant began = time.now();
        long start = time.nanos();
        tell(batch, PipelineListener.BatchOutcome.START, Duration.ZERO, began);
        PipelineListener.BatchOutcome worst = PipelineListener.BatchOutcome.STOP;
        try {
            worst = batch.key().handler() instanceof Handlers.Registration.Single single
                    ? runEach(given, single.handler())
                    : runTogether(
                            batch.claims(),
                            given.losses(),
                            ((Handlers.Registration.Batched) batch.key().handler()).handler());
        } finally {
            tell(batch, worst, Duration.ofNanos(time.nanos() - start), time.now());
            slots.batchesEnded.incrementAndGet();
            wake.run();
        }
    }

    /** What has not begun does not begin when the pipeline stops, or when it may belong to others by now. */
    private boolean mayBegin(int losses) {
        return !stopping && hold.holds(losses);
    }

    private PipelineListener.BatchOutcome runEach(Given given, EventHandler handler) {
        PipelineListener.BatchOutcome worst = PipelineListener.BatchOutcome.STOP;
        for (Claim claim : given.batch().claims()) {
            Instant began = time.now();
            RetryResult<Outcome> result = mayBegin(given.losses())
                    ? oneAttempt.run(() -> around.attempt(List.of(claim), () -> handler.handle(claim.event())))
                    : notBegun();
            Outcome outcome = outcomeOf(result);
            finished.add(new Handled(claim, outcome, began, result.elapsed()));
            worst = worse(worst, outcome);
            if (result.elapsed().toMillis() > 0) {
                wake.run();
            }
        }
        return worst;
    }

    private PipelineListener.BatchOutcome runTogether(List<Claim> claims, int losses, BatchHandler handler) {
        Instant began = time.now();
        EventBatch batch = new EventBatch(claims.stream().map(Claim::event).toList());
        RetryResult<Outcome> result = mayBegin(losses)
                ? oneAttempt.run(() -> around.attempt(claims, () -> {
                    handler.handle(batch);
                    return Outcome.done();
                }))
                : notBegun();
        Outcome whole = outcomeOf(result);
        PipelineListener.BatchOutcome worst = PipelineListener.BatchOutcome.STOP;
        List<Claim> unclear = new ArrayList<>();
        for (Claim claim : claims) {
            Outcome outcome = batch.reported(claim.event()).orElse(whole);
            if (outcome == whole && whole instanceof Outcome.Failed && claims.size() > 1) {
                unclear.add(claim);
            } else {
                finished.add(new Handled(claim, outcome, began, result.elapsed()));
                worst = worse(worst, outcome);
            }
        }
        if (unclear.isEmpty()) {
            return worst;
        }
        // Not the fault of all: halve until the culprits stand alone.
        int half = (unclear.size() + 1) / 2;
        worst = worse(worst, whole);
        runTogether(unclear.subList(0, half), losses, handler);
        if (half < unclear.size()) {
            runTogether(unclear.subList(half, unclear.size()), losses, handler);
        }
        return worst;
    }

    private Outcome outcomeOf(RetryResult<Outcome> result) {
        // The thread goes back to its pool, or on to the next event, which has nothing to do with what this one left.
        Thread.interrupted();
        return result.match(success -> success.value() == null ? Outcome.done() : success.value(), failure -> {
            if (failure.reason() == Reason.INTERRUPTED) {
                // Not by us: perhaps the executor is being shut down. The event has done nothing to die for.
                return stopping ? new Outcome.Interrupted() : Outcome.retry("the handler was interrupted from outside");
            }
            return new Outcome.Failed(Failure.thrown(failure.lastException()));
        });
    }

    private static RetryResult<Outcome> notBegun() {
        return new RetryResult.Success<>(new Outcome.Interrupted(), 0, Duration.ZERO);
    }

    private static PipelineListener.BatchOutcome worse(PipelineListener.BatchOutcome before, Outcome outcome) {
        PipelineListener.BatchOutcome now = PipelineListener.BatchOutcome.STOP;
        if (outcome instanceof Outcome.Failed failed) {
            now = failed.failure() instanceof Failure.Thrown thrown && thrown.error() instanceof AttemptTimeoutException
                    ? PipelineListener.BatchOutcome.TIMEOUT
                    : PipelineListener.BatchOutcome.ERROR;
        } else if (outcome instanceof Outcome.Retry
                || outcome instanceof Outcome.Dead
                || outcome instanceof Outcome.Invalid) {
            now = PipelineListener.BatchOutcome.ERROR;
        }
        return now.compareTo(before) > 0 ? now : before;
    }

    private void tell(Batch batch, PipelineListener.BatchOutcome outcome, Duration took, Instant at) {
        PipelineListener.Batched event = new PipelineListener.Batched(
                batch.lane(), outcome, batch.claims().size(), took, at);
        listeners.tell(listener -> listener.onBatch(event));
    }
}
