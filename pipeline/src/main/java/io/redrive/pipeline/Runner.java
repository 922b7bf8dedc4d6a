package io.redrive.pipeline;

import io.redrive.core.Signal;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Steps the coordinator, by hand or on a thread, and stops it. Only one thread at a time uses the coordinator,
 * whichever threads call {@link #stop}, and however often.
 *
 * <p>The thread {@code redrive-stop} stops a running pipeline: it takes the coordinator over from the loop. Callers
 * wait for this thread until their limit is over and then abandon it: a store or a listener that does not return holds
 * up a daemon thread and no caller.
 */
final class Runner {

    /** The least time of a stop: releasing events takes time even when handlers get none. */
    private static final Duration SHORTEST_STOP = Duration.ofSeconds(2);

    /** A longer limit would overflow the arithmetic on nanoseconds; no caller waits that long. */
    private static final Duration LONGEST_STOP = Duration.ofDays(365);

    private static final Duration STORE_TROUBLE_WAIT = Duration.ofMillis(100);

    private final Coordinator coordinator;
    private final Signal signal;
    private final Time time;
    private final RandomGenerator random;
    private final Listeners listeners;
    private final LoopWatch watch;
    private final RunningHandlers running;
    private final Runnable interruptHandlers;
    private final ReentrantLock stopLock = new ReentrantLock();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean publishedSinceStep;
    private volatile boolean stopping;
    private volatile boolean hurried;
    /** The limit of a stop that was asked for during a step by hand; null when none was. */
    private volatile @Nullable Duration stopAfterStep;
    /** The thread of the current step; null between steps. */
    private volatile @Nullable Thread stepping;
    /** The loop's thread; null before the start. */
    private volatile @Nullable Thread thread;
    /** The thread that stops the pipeline; null before the stop. */
    private @Nullable Thread stopper;

    Runner(
            Coordinator coordinator,
            Signal signal,
            Environment environment,
            LoopWatch watch,
            RunningHandlers running,
            Runnable interruptHandlers) {
        this.coordinator = coordinator;
        this.signal = signal;
        this.time = environment.time();
        this.random = environment.random();
        this.listeners = environment.listeners();
        this.watch = watch;
        this.running = running;
        this.interruptHandlers = interruptHandlers;
    }

    synchronized void start() {
        if (thread != null || stopping) {
            throw new IllegalStateException(
                    stopping
                            ? "a pipeline that was stopped cannot start again; build another"
                            : "the pipeline runs already");
        }
        coordinator.startThreads();
        Thread started = Threads.daemon(this::loop, "redrive-pipeline");
        thread = started;
        Threads.lifeline(stopped).start();
        started.start();
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

    void stop(Duration asked) {
        Duration limit = min(asked, LONGEST_STOP);
        stopping = true;
        Thread current = Thread.currentThread();
        Thread loop = thread;
        if (loop != null) {
            Duration total = limit.compareTo(SHORTEST_STOP) < 0 ? SHORTEST_STOP : limit;
            coordinator.beginNoMore();
            beginStop(loop, limit, total);
            if (current != loop && !running.isHandler(current)) {
                awaitStop(total);
            }
        } else if (current == stepping) {
            stopAfterStep = limit;
        } else {
            finish(limit);
        }
    }

    /** Events were published. Thread-safe. */
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

    private synchronized void beginStop(Thread loop, Duration limit, Duration total) {
        signal.raise();
        if (stopper == null) {
            Thread stopping = Threads.daemon(() -> takeOver(loop, limit, total), "redrive-stop");
            stopper = stopping;
            stopping.start();
        }
    }

    /** Waits for the stop, {@code total} at most. After an interrupt the stop waits for no handler. */
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

    /** Abandons the calls that still hang in threads of this pipeline. */
    private void letGo() {
        coordinator.stopKeeping();
        interruptHandlers.run();
        stopped.countDown();
    }

    /** Takes the coordinator over from the loop, if the loop ends in time. Runs on the thread {@code redrive-stop}. */
    private void takeOver(Thread loop, Duration limit, Duration total) {
        try {
            long began = time.nanos();
            Duration forHandlers = min(limit, total.multipliedBy(9).dividedBy(10));
            if (endsWithin(total.dividedBy(2), loop) || interruptedEndsWithin(total.dividedBy(4), loop)) {
                finish(forHandlers.minusNanos(time.nanos() - began));
            } else {
                withStore(() -> coordinator.abandon(time.now()));
            }
        } finally {
            letGo();
        }
    }

    private static boolean interruptedEndsWithin(Duration wait, Thread loop) {
        loop.interrupt();
        return endsWithin(wait, loop);
    }

    private static boolean endsWithin(Duration wait, Thread loop) {
        try {
            loop.join(Math.max(1, wait.toMillis()));
        } catch (InterruptedException e) {
            // An interrupt of the stop does not keep the loop.
        }
        return !loop.isAlive();
    }

    /** Settles and releases all claims. The calling thread owns the coordinator now. A second call has no effect. */
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
            // When the store fails here too, the leases run out and other nodes take over.
            withStore(() -> coordinator.releaseAll(time.now()));
            withStore(coordinator::leave);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            stopLock.unlock();
        }
    }

    /**
     * Waits for exchanges even when handlers get no time: otherwise their claims would stay leased. Returns false when
     * interrupted.
     */
    private boolean finishExchanges(Duration limit) {
        boolean[] waited = {true};
        Duration longest = limit.compareTo(SHORTEST_STOP) > 0 ? limit : SHORTEST_STOP;
        withStore(() -> waited[0] = coordinator.finishExchanges(longest, time.now()));
        return waited[0];
    }

    /** Settles while handlers finish, within {@code limit} of the monotonic clock. Returns false when interrupted. */
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
                boolean raised = signal.await(wait);
                Duration passed = Duration.ofNanos(time.nanos() - before);
                // The clock of a test may stand still: the wait counts then.
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
            // Errors too: the rest of the stop has to run.
            tellTrouble(e);
            return false;
        }
    }

    private void loop() {
        StoreBackoff backoff = new StoreBackoff(random);
        while (!stopping) {
            try {
                stepAndWait(backoff);
            } catch (InterruptedException e) {
                // A listener may interrupt this thread. Only a stop ends the loop.
            }
        }
    }

    private void stepAndWait(StoreBackoff backoff) throws InterruptedException {
        try {
            boolean moved = step();
            if (moved || !coordinator.awaitsStore()) {
                backoff.recovered();
            }
            if (!moved && !stopping) {
                signal.await(Duration.between(time.now(), coordinator.nextStep()));
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            // A listener that blocks here counts as a stuck step too.
            watch.stepBegins();
            tellTrouble(e);
            watch.stepEnds();
            signal.clear();
            // A stop that raised the signal just before must not wait.
            if (!stopping) {
                signal.await(backoff.waitAfterFailure());
            }
        }
    }

    /** Names the class only: the text of an error is user code and may throw. */
    private void tellTrouble(Throwable error) {
        RuntimeException told = error instanceof RuntimeException thrown
                ? thrown
                : new IllegalStateException(
                        "a step of the pipeline failed with " + error.getClass().getName(), error);
        PipelineListener.StoreTrouble trouble = new PipelineListener.StoreTrouble(told, time.now());
        listeners.tell(listener -> listener.onStoreTrouble(trouble));
    }
}
