package io.redrive.pipeline;

import io.redrive.core.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Lets the coordinator step, by hand or on a thread of its own, and brings it to an end. Whoever calls {@link #stop}, from
 * wherever, and however often: the coordinator is only ever used by one thread at a time.
 */
final class Runner {

    private static final Duration STORE_TROUBLE_WAIT = Duration.ofMillis(100);
    private static final Duration EXCHANGE_LIMIT = Duration.ofSeconds(1);

    private final Coordinator coordinator;
    private final Signal signal;
    private final Time time;
    private final RandomGenerator random;
    private final Listeners listeners;
    private final Runnable interruptHandlers;
    private final ReentrantLock stopLock = new ReentrantLock();
    private volatile boolean publishedSinceStep;
    private volatile boolean stopping;
    private volatile Duration stopAfterStep;
    private volatile Thread stepping;
    private volatile Thread thread;

    Runner(Coordinator coordinator, Signal signal, Surroundings surroundings, Runnable interruptHandlers) {
        this.coordinator = coordinator;
        this.signal = signal;
        this.time = surroundings.time();
        this.random = surroundings.random();
        this.listeners = surroundings.listeners();
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
        coordinator.startExchanges();
        thread = new Thread(this::loop, "redrive-pipeline");
        thread.start();
    }

    boolean step() {
        stepping = Thread.currentThread();
        try {
            signal.clear();
            if (publishedSinceStep) {
                publishedSinceStep = false;
                coordinator.wake();
            }
            return coordinator.step(time.now());
        } finally {
            stepping = null;
            if (thread == null) {
                finishIfAsked();
            }
        }
    }

    void stop(Duration limit) {
        stopping = true;
        Thread running = thread;
        Thread current = Thread.currentThread();
        if (current == running || current == stepping) {
            stopAfterStep = limit;
            return;
        }
        if (running != null) {
            signal.raise();
            joinUninterruptibly(running);
        }
        finish(limit);
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
        AtomicBoolean waited = new AtomicBoolean(true);
        Duration patience = limit.compareTo(EXCHANGE_LIMIT) > 0 ? limit : EXCHANGE_LIMIT;
        withStore(() -> waited.set(coordinator.finishExchanges(patience, time.now())));
        return waited.get();
    }

    /** By the monotonic clock, whatever the other one does. False when interrupted meanwhile. */
    private boolean letHandlersFinish(Duration limit) {
        Duration left = limit;
        while (true) {
            signal.clear();
            boolean settled = withStore(() -> coordinator.settleOnly(time.now()));
            if (coordinator.isIdle() || left.isZero() || left.isNegative()) {
                return true;
            }
            Duration wait = settled ? Duration.between(time.now(), coordinator.nextBeat()) : STORE_TROUBLE_WAIT;
            wait = wait.compareTo(left) < 0 ? wait : left;
            long before = time.nanos();
            try {
                boolean raised = signal.await(Signal.bounded(wait));
                Duration waited = Duration.ofNanos(time.nanos() - before);
                // Time that stands still, in a test, must not make this wait for ever.
                left = left.minus(raised || waited.compareTo(wait) > 0 ? waited : wait);
            } catch (InterruptedException e) {
                return false;
            }
        }
    }

    private boolean withStore(Runnable call) {
        try {
            call.run();
            return true;
        } catch (RuntimeException | Error e) {
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
        finishIfAsked();
    }

    private void stepAndWait(StorePatience patience) throws InterruptedException {
        try {
            boolean moved = step();
            if (moved || !coordinator.awaitsStore()) {
                patience.recovered();
            }
            if (!moved) {
                signal.await(Signal.bounded(Duration.between(time.now(), coordinator.nextStep())));
            }
        } catch (RuntimeException | Error e) {
            tellTrouble(e);
            signal.clear();
            // A stop that raised the signal just before must not have to wait.
            if (!stopping) {
                signal.await(patience.waitAfterTrouble());
            }
        }
    }

    private void tellTrouble(Throwable error) {
        RuntimeException told = error instanceof RuntimeException thrown
                ? thrown
                : new IllegalStateException("a step of the pipeline failed: " + error, error);
        PipelineListener.StoreTrouble trouble = new PipelineListener.StoreTrouble(told, time.now());
        listeners.tell(listener -> listener.onStoreTrouble(trouble));
    }

    private static void joinUninterruptibly(Thread running) {
        boolean interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
                running.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
