package io.redrive.pipeline;

import io.redrive.core.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Lets the coordinator step, by hand or on a thread of its own, and brings it to an end. Only one thread at a time uses the
 * coordinator, whichever threads call {@link #stop}, and however often.
 *
 * <p>A running pipeline is stopped by a thread of its own, {@code redrive-stop}, which takes the coordinator over from the
 * loop. Callers wait for that thread until their limit is over and then leave it behind: a store that does not answer, or a
 * listener that does not return, holds up a daemon thread and nobody else.
 */
final class Runner {

    /** A stop takes so long at most, if its limit is shorter: events are given back whatever the limit for handlers. */
    private static final Duration SHORTEST_STOP = Duration.ofSeconds(2);

    private static final Duration STORE_TROUBLE_WAIT = Duration.ofMillis(100);

    private final Coordinator coordinator;
    private final Signal signal;
    private final Time time;
    private final RandomGenerator random;
    private final Listeners listeners;
    private final LoopWatch watch;
    private final Handling handling;
    private final Runnable interruptHandlers;
    private final ReentrantLock stopLock = new ReentrantLock();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean publishedSinceStep;
    private volatile boolean stopping;
    private volatile boolean hurried;
    private volatile Duration stopAfterStep;
    private volatile Thread stepping;
    private volatile Thread thread;
    private Thread stopper;

    Runner(
            Coordinator coordinator,
            Signal signal,
            Surroundings surroundings,
            LoopWatch watch,
            Handling handling,
            Runnable interruptHandlers) {
        this.coordinator = coordinator;
        this.signal = signal;
        this.time = surroundings.time();
        this.random = surroundings.random();
        this.listeners = surroundings.listeners();
        this.watch = watch;
        this.handling = handling;
        this.interruptHandlers = interruptHandlers;
    }

    /** What is passed in to everything. */
    record Surroundings(Time time, RandomGenerator random, Listeners listeners) {}

    synchronized void start() {
        if (thread != null || stopping) {
            throw new IllegalStateException(
                    stopping
                            ? "a pipeline that was stopped cannot start again; build another"
                            : "the pipeline runs already");
        }
        coordinator.startThreads();
        thread = Threads.daemon(this::loop, "redrive-pipeline");
        Threads.lifeline(stopped).start();
        thread.start();
    }

    boolean step() {
        stepping = Thread.currentThread();
        watch.stepBegins();
        try {
            signal.clear();
            if (publishedSinceStep) {
                publishedSinceStep = false;
                coordinator.wake();
            }
            return coordinator.step(time.now());
        } finally {
            watch.stepEnds();
            stepping = null;
            if (thread == null) {
                finishIfAsked();
            }
        }
    }

    PipelineHealth health() {
        Thread running = thread;
        PipelineHealth.State state = PipelineHealth.State.RUNNING;
        if (stopping) {
            state = PipelineHealth.State.STOPPED;
        } else if (running == null) {
            state = PipelineHealth.State.NOT_STARTED;
        } else if (!running.isAlive()) {
            state = PipelineHealth.State.ENDED;
        } else if (watch.isStuck()) {
            state = PipelineHealth.State.STUCK;
        }
        return new PipelineHealth(state, watch.busyFor());
    }

    void stop(Duration limit) {
        stopping = true;
        Thread current = Thread.currentThread();
        if (thread != null) {
            Duration total = limit.compareTo(SHORTEST_STOP) < 0 ? SHORTEST_STOP : limit;
            coordinator.beginNoMore();
            beginStop(limit, total);
            if (current != thread && !handling.isHandler(current)) {
                awaitStop(total);
            }
        } else if (current == stepping) {
            stopAfterStep = limit;
        } else {
            finish(limit);
        }
    }

    /** Something was published; any thread may call it. */
    void published() {
        publishedSinceStep = true;
        signal.raise();
    }

    private void finishIfAsked() {
        Duration limit = stopAfterStep;
        if (limit != null) {
            stopAfterStep = null;
            finish(limit);
        }
    }

    private synchronized void beginStop(Duration limit, Duration total) {
        signal.raise();
        if (stopper == null) {
            stopper = Threads.daemon(() -> takeOver(limit, total), "redrive-stop");
            stopper.start();
        }
    }

    /** Waits for the stop, {@code total} at most. An interrupt makes the stop wait for no handler. */
    private void awaitStop(Duration total) {
        long began = time.nanos();
        boolean interrupted = false;
        while (true) {
            try {
                long left = total.toNanos() - (time.nanos() - began);
                if (!stopped.await(left, TimeUnit.NANOSECONDS)) {
                    letGo();
                }
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                hurried = true;
                signal.raise();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing of this pipeline goes on, but for what hangs in its threads. */
    private void letGo() {
        coordinator.stopKeeping();
        interruptHandlers.run();
        stopped.countDown();
    }

    /** On the thread that stops: takes the coordinator over from the loop, if that lets go of it in time. */
    private void takeOver(Duration limit, Duration total) {
        try {
            long began = time.nanos();
            Duration forHandlers = min(limit, total.multipliedBy(9).dividedBy(10));
            if (loopEndsWithin(total.dividedBy(2)) || interruptedLoopEndsWithin(total.dividedBy(4))) {
                finish(forHandlers.minusNanos(time.nanos() - began));
            } else {
                withStore(() -> coordinator.abandon(time.now()));
            }
        } finally {
            letGo();
        }
    }

    private boolean interruptedLoopEndsWithin(Duration wait) {
        thread.interrupt();
        return loopEndsWithin(wait);
    }

    private boolean loopEndsWithin(Duration wait) {
        try {
            thread.join(Math.max(1, wait.toMillis()));
        } catch (InterruptedException e) {
            // Nobody interrupts this thread in order to keep the loop.
        }
        return !thread.isAlive();
    }

    /** One thread at a time: the coordinator is used by nobody else now. A second call finds nothing left to do. */
    private void finish(Duration limit) {
        stopLock.lock();
        try {
            long began = time.nanos();
            coordinator.beginNoMore();
            boolean interrupted = !finishExchanges(limit);
            coordinator.releaseWaiting();
            // Handlers go on while an exchange is waited for.
            interrupted |= !letHandlersFinish(limit.minusNanos(time.nanos() - began));
            interruptHandlers.run();
            // When this fails too, the leases run out and others take over.
            withStore(() -> coordinator.releaseAll(time.now()));
            withStore(coordinator::leave);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            stopLock.unlock();
        }
    }

    /** Whatever the limit for handlers: what an exchange brings and nobody takes would wait until its lease is over. */
    private boolean finishExchanges(Duration limit) {
        boolean[] waited = {true};
        Duration patience = limit.compareTo(SHORTEST_STOP) > 0 ? limit : SHORTEST_STOP;
        withStore(() -> waited[0] = coordinator.finishExchanges(patience, time.now()));
        return waited[0];
    }

    /** By the monotonic clock, whatever the other one does. False when interrupted meanwhile. */
    private boolean letHandlersFinish(Duration limit) {
        Duration left = limit;
        while (true) {
            signal.clear();
            long before = time.nanos();
            boolean settled = withStore(() -> coordinator.settleOnly(time.now()));
            if (coordinator.hasHandledAll() || hurried || left.isZero() || left.isNegative()) {
                return true;
            }
            Duration wait = settled ? Duration.between(time.now(), coordinator.nextBeat()) : STORE_TROUBLE_WAIT;
            wait = min(wait, left);
            try {
                boolean raised = signal.await(Signal.bounded(wait));
                Duration passed = Duration.ofNanos(time.nanos() - before);
                // Time that stands still, in a test, must not make this wait for ever.
                left = left.minus(raised || passed.compareTo(wait) > 0 ? passed : wait);
            } catch (InterruptedException e) {
                return false;
            }
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean withStore(Runnable call) {
        try {
            call.run();
            return true;
        } catch (Throwable e) {
            // An error too: what is left of the stop has to be done all the same.
            tellTrouble(e);
            return false;
        }
    }

    private void loop() {
        StorePatience patience = new StorePatience(random);
        while (!stopping) {
            try {
                stepAndWait(patience);
            } catch (InterruptedException e) {
                // By a listener, perhaps. Without this thread nothing moves any more, so only a stop ends it.
            }
        }
    }

    private void stepAndWait(StorePatience patience) throws InterruptedException {
        try {
            boolean moved = step();
            if (moved || !coordinator.awaitsStore()) {
                patience.recovered();
            }
            if (!moved && !stopping) {
                signal.await(Signal.bounded(Duration.between(time.now(), coordinator.nextStep())));
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            // A listener that does not return is noticed here as well.
            watch.stepBegins();
            tellTrouble(e);
            watch.stepEnds();
            signal.clear();
            // A stop that raised the signal just before must not have to wait.
            if (!stopping) {
                signal.await(patience.waitAfterTrouble());
            }
        }
    }

    /** The text of an error may be code of the user's, and throw. */
    private void tellTrouble(Throwable error) {
        RuntimeException told = error instanceof RuntimeException thrown
                ? thrown
                : new IllegalStateException(
                        "a step of the pipeline failed with " + error.getClass().getName(), error);
        PipelineListener.StoreTrouble trouble = new PipelineListener.StoreTrouble(told, time.now());
        listeners.tell(listener -> listener.onStoreTrouble(trouble));
    }
}
