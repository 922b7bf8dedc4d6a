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
import org.jspecify.annotations.Nullable;

/**
 * Lets the coordinator step: by hand, on the caller's thread, or on a thread of its own; and brings the run to an end. Only one
 * thread at a time uses the coordinator.
 */
final class Runner {

    /** Interval between two checks for the last write of a lost lease. */
    private static final Duration FORMER_WAIT = Duration.ofSeconds(1);

    private final Session<?, ?> session;
    private final Time time;
    private final RunSettings settings;
    private final Listeners listeners;
    private final StorePatience patience;
    private final Signal signal = new Signal();
    /** Threads of the run's own; null when the user gave an executor. */
    private final @Nullable OwnThreads ownThreads;

    private final Background workers;
    private final Background recorder;
    private final AtomicReference<@Nullable Halt> request = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Progress progress = Progress.NONE;
    private volatile @Nullable Thread thread;
    private volatile @Nullable RunRecord result;
    private volatile @Nullable RuntimeException failure;

    // ---- Used by the thread that steps ----

    private @Nullable Coordinator coordinator;
    /** The coordinator of a lease that was lost, until its last write has ended. */
    private @Nullable Coordinator former;

    private long haltedAt;

    /** Threads for stages, and a separate one for pages: a stop interrupts the workers, and then writes their results. */
    private record OwnThreads(ExecutorService workers, ExecutorService recorder) {

        static OwnThreads of(String run) {
            return new OwnThreads(
                    VirtualThreads.newExecutor().orElseGet(() -> Executors.newCachedThreadPool(daemons(run, "worker"))),
                    Executors.newSingleThreadExecutor(daemons(run, "recorder")));
        }

        private static ThreadFactory daemons(String run, String role) {
            return task -> {
                Thread thread = new Thread(task, "redrive-run-" + run + "-" + role);
                thread.setDaemon(true);
                return thread;
            };
        }

        void shutDown() {
            workers.shutdownNow();
            recorder.shutdown();
        }
    }

    /** A run on {@code executor}, or on threads of its own when it is null. */
    Runner(Session<?, ?> session, @Nullable Executor executor) {
        this.session = session;
        Session.ProcessSettings process = session.process();
        time = process.time();
        settings = process.run();
        listeners = process.listeners();
        patience = new StorePatience(settings.patience(), time, process.random());
        if (executor == null) {
            OwnThreads threads = OwnThreads.of(session.id());
            ownThreads = threads;
            workers = new Background(threads.workers(), time, signal);
            recorder = new Background(threads.recorder(), time, signal);
        } else {
            ownThreads = null;
            workers = new Background(executor, time, signal);
            recorder = workers;
        }
    }

    synchronized void start() {
        if (thread != null || isOver()) {
            throw new IllegalStateException(
                    "run '" + session.id() + "' was started already; build another to resume it");
        }
        Thread started = new Thread(this::loop, "redrive-run-" + session.id());
        thread = started;
        started.start();
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

    /** Stops and waits. On the thread that steps, or when there is none, it takes the last steps itself. */
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
        Coordinator stepping;
        boolean moved;
        try {
            if (isFormerWriting()) {
                return false;
            }
            stepping = joined();
            haltIfAsked(stepping);
            moved = stepping.step(now);
        } catch (StaleLease e) {
            leaseLost(now);
            return true;
        }
        progress = stepping.progress();
        if (stepping.isOver()) {
            end(session.current(), stepping.failure());
            return true;
        }
        return moved;
    }

    /** The coordinator under the lease; joins the run first when there is none. */
    private Coordinator joined() {
        Coordinator current = coordinator;
        if (current == null) {
            current = session.join(workers, recorder);
            coordinator = current;
            former = null;
        }
        return current;
    }

    private void leaseLost(Instant now) {
        if (coordinator != null) {
            coordinator.drop();
            former = coordinator;
            coordinator = null;
        }
        RunListener.LeaseLost lost = new RunListener.LeaseLost(session.id(), now);
        listeners.tell(listener -> listener.onLeaseLost(lost));
    }

    Duration untilNextStep() {
        if (coordinator == null) {
            return isFormerWriting() ? FORMER_WAIT : Duration.ZERO;
        }
        Duration wait = coordinator.untilNextStep(time.now());
        Duration left = coordinator.isHalted() ? leftToStop() : Duration.ZERO;
        return left.isZero() ? wait : Lanes.shorter(left, wait);
    }

    /** The sink must not be opened anew while a thread from before the lease was lost still writes to it. */
    private boolean isFormerWriting() {
        return former != null && former.recorder().isWriting();
    }

    private void haltIfAsked(Coordinator stepping) {
        Halt asked = request.get();
        if (asked != null) {
            stepping.halt(asked);
        }
        if (stepping.isHalted() && leftToStop().isZero()) {
            if (ownThreads != null) {
                ownThreads.workers().shutdownNow();
            }
            stepping.abandon();
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

    /** How much longer calls under way may take once the run stops; zero when the stop limit has passed. */
    private Duration leftToStop() {
        haltedAt = haltedAt == 0 ? time.nanos() : haltedAt;
        Duration left = settings.stopLimit().minusNanos(time.nanos() - haltedAt);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Waits after the store or the sink failed. A run that could not even begin fails at once: its caller can act on it. */
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
            wait = Lanes.shorter(wait, leftToStop());
        }
        if (wait.isZero()) {
            // Uncommitted work is run again when the run is resumed; the lease expires by itself.
            end(null, error);
            return;
        }
        try {
            signal.await(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the run in this process: with the run as the store has it, or with a failure, or with both. */
    private void end(@Nullable RunRecord run, @Nullable RuntimeException why) {
        result = run;
        failure = why;
        try {
            session.close();
        } catch (Throwable e) {
            Warnings.warn("run '" + session.id() + "': its sink did not close; ignored: ", e);
        }
        if (ownThreads != null) {
            ownThreads.shutDown();
        }
        if (run != null) {
            RunListener.Finished event = new RunListener.Finished(run, time.now());
            listeners.tell(listener -> listener.onFinished(event));
        }
        ended.countDown();
    }

    private RunRecord outcome() {
        RuntimeException why = failure;
        if (why != null) {
            throw why;
        }
        RunRecord run = result;
        if (run == null) {
            throw new IllegalStateException("run '" + session.id() + "' ended without a result or a failure");
        }
        return run;
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
