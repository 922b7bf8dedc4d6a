package io.redrive.items.run;

import io.redrive.core.Signal;
import io.redrive.core.Time;
import io.redrive.core.VirtualThreads;
import io.redrive.items.Progress;
import io.redrive.items.RunListener;
import io.redrive.items.RunSettings;
import io.redrive.items.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets the coordinator step, by hand, on the caller's thread or on one of its own, and brings it to an end. The
 * coordinator is only ever used by one thread at a time.
 */
final class Runner {

    private static final Duration FORMER_WAIT = Duration.ofSeconds(1);

    private final Session<?, ?> session;
    private final Time time;
    private final RunSettings settings;
    private final Listeners listeners;
    private final StorePatience patience;
    /** Null when all work goes to somebody else's executor. */
    private final ExecutorService ownWorkers;

    private final ExecutorService ownRecorder;
    private final Session.Executors executors;
    private final Signal signal = new Signal();
    private final AtomicReference<Halt> request = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Progress progress = Progress.NONE;
    private volatile Thread thread;
    private volatile RunRecord result;
    private volatile RuntimeException failure;

    // Used by the thread that steps.
    private Coordinator coordinator;
    private Coordinator former;
    private long haltedAt;

    Runner(Session<?, ?> session, Executor executor) {
        this.session = session;
        Session.Surroundings surroundings = session.surroundings();
        time = surroundings.time();
        settings = surroundings.settings();
        listeners = surroundings.listeners();
        patience = new StorePatience(settings.patience(), time, surroundings.random());
        // Apart: when workers are interrupted, what they finished must still be written.
        ownWorkers = executor == null
                ? VirtualThreads.newExecutor().orElseGet(() -> Executors.newCachedThreadPool(daemons("worker")))
                : null;
        ownRecorder = executor == null ? Executors.newSingleThreadExecutor(daemons("recorder")) : null;
        executors = new Session.Executors(
                executor == null ? ownWorkers : executor, executor == null ? ownRecorder : executor);
    }

    private ThreadFactory daemons(String role) {
        return task -> {
            Thread thread = new Thread(task, "redrive-run-" + session.id() + "-" + role);
            thread.setDaemon(true);
            return thread;
        };
    }

    synchronized void start() {
        if (thread != null || isOver()) {
            throw new IllegalStateException(
                    "run '" + session.id() + "' was started already; build another to resume it");
        }
        thread = new Thread(this::loop, "redrive-run-" + session.id());
        thread.start();
    }

    RunRecord runHere() {
        thread = Thread.currentThread();
        loop();
        return outcome();
    }

    RunRecord await() throws InterruptedException {
        ended.await();
        return outcome();
    }

    Progress progress() {
        return progress;
    }

    boolean isOver() {
        return ended.getCount() == 0;
    }

    void halt(Halt why) {
        request.updateAndGet(before -> before == null || before.givesWayTo(why) ? why : before);
        signal.raise();
    }

    /** Stops and waits; on the thread that steps, or when there is none, it steps itself. */
    void close() {
        halt(Halt.stopped());
        Thread running = thread;
        if (running != null && running != Thread.currentThread()) {
            awaitUninterruptibly();
        } else if (!isOver()) {
            loop();
        }
    }

    boolean step() {
        if (isOver()) {
            return false;
        }
        signal.clear();
        Instant now = time.now();
        boolean moved;
        try {
            if (isFormerWriting()) {
                return false;
            }
            if (coordinator == null) {
                coordinator = session.join(executors, signal);
                former = null;
            }
            haltIfAsked();
            moved = coordinator.step(now);
        } catch (StaleLease e) {
            if (coordinator != null) {
                coordinator.drop();
                former = coordinator;
                coordinator = null;
            }
            RunListener.LeaseLost lost = new RunListener.LeaseLost(session.id(), now);
            listeners.tell(listener -> listener.onLeaseLost(lost));
            return true;
        }
        progress = coordinator.progress();
        if (coordinator.isOver()) {
            end(session.current(), coordinator.failure());
            return true;
        }
        return moved;
    }

    Duration untilNextStep() {
        if (coordinator == null) {
            return isFormerWriting() ? FORMER_WAIT : Duration.ZERO;
        }
        Duration wait = coordinator.untilNextStep(time.now());
        Duration left = coordinator.isHalted() ? leftToStop() : Duration.ZERO;
        return left.isZero() ? wait : Floor.shorter(left, wait);
    }

    /** The sink must not be opened anew while a thread from before the lease was lost still writes to it. */
    private boolean isFormerWriting() {
        return former != null && former.recorder().isWriting();
    }

    private void haltIfAsked() {
        Halt asked = request.get();
        if (asked != null) {
            coordinator.halt(asked);
        }
        if (coordinator.isHalted() && leftToStop().isZero()) {
            if (ownWorkers != null) {
                ownWorkers.shutdownNow();
            }
            coordinator.abandon();
        }
    }

    private void loop() {
        boolean interrupted = false;
        while (!isOver()) {
            try {
                if (Thread.interrupted()) {
                    interrupted = true;
                    halt(Halt.stopped());
                }
                boolean moved = step();
                if (coordinator == null || !coordinator.recorder().isTroubled()) {
                    patience.recovered();
                }
                if (!moved) {
                    signal.await(untilNextStep());
                }
            } catch (InterruptedException e) {
                interrupted = true;
                halt(Halt.stopped());
            } catch (RuntimeException e) {
                trouble(e);
            } catch (Throwable e) {
                end(null, new IllegalStateException("run '" + session.id() + "' failed: " + Warnings.textOf(e), e));
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** How much longer what is under way may take once the run is to stop; zero when it has had its time. */
    private Duration leftToStop() {
        haltedAt = haltedAt == 0 ? time.nanos() : haltedAt;
        Duration left = settings.stopLimit().minusNanos(time.nanos() - haltedAt);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** A run that could not even begin fails at once: there somebody waits who can put it right. */
    private void trouble(RuntimeException error) {
        if (coordinator == null && result == null && progress == Progress.NONE) {
            end(null, error);
            return;
        }
        RunListener.Trouble event = new RunListener.Trouble(session.id(), error, time.now());
        listeners.tell(listener -> listener.onTrouble(event));
        signal.clear();
        Duration wait = patience.waitAfterTrouble().orElse(Duration.ZERO);
        if (request.get() != null) {
            wait = Floor.shorter(wait, leftToStop());
        }
        if (wait.isZero()) {
            // What was not committed will be run again when the run is resumed; the lease runs out by itself.
            end(null, error);
            return;
        }
        try {
            signal.await(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(RunRecord run, RuntimeException why) {
        result = run;
        failure = why;
        try {
            session.close();
        } catch (Throwable e) {
            Warnings.warn("run '" + session.id() + "': its sink did not close; ignored: ", e);
        }
        if (ownWorkers != null) {
            ownWorkers.shutdownNow();
            ownRecorder.shutdown();
        }
        if (run != null) {
            RunListener.Finished event = new RunListener.Finished(run, time.now());
            listeners.tell(listener -> listener.onFinished(event));
        }
        ended.countDown();
    }

    private RunRecord outcome() {
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    private void awaitUninterruptibly() {
        boolean interrupted = false;
        while (!isOver()) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
