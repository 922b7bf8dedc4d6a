package io.redrive.pipeline;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Extends the leases of the claimed events three times per lease, and watches the pipeline's thread. A running pipeline has a
 * thread for this work, and that thread runs no user code: a listener, log or policy that blocks costs the pipeline no
 * claims. A pipeline stepped by hand does the work in each step.
 */
final class LeaseKeeper {

    private static final int BEATS_PER_LEASE = 3;
    private static final int TICKS_PER_LEASE = 9;
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

    private final EventStore store;
    private final Duration lease;
    private final InFlight inFlight;
    private final Ownership ownership;
    private final LoopWatch watch;
    private final Listeners listeners;
    private final Time time;
    private final CountDownLatch stopped = new CountDownLatch(1);
    /** Null when steps extend the leases. */
    private volatile @Nullable Thread thread;
    /** The last exception of the thread; null when there was none or a step has thrown it. */
    private volatile @Nullable Throwable trouble;

    private Instant nextBeat = Instant.MIN;

    /** @param watch notices a pipeline thread that is stuck */
    LeaseKeeper(
            EventStore store,
            Duration lease,
            InFlight inFlight,
            Ownership ownership,
            LoopWatch watch,
            Environment environment) {
        this.store = store;
        this.lease = lease;
        this.inFlight = inFlight;
        this.ownership = ownership;
        this.watch = watch;
        listeners = environment.listeners();
        time = environment.time();
    }

    /** From now on a thread extends the leases, until {@link #stop}. */
    void start() {
        // No event is claimed yet, so a long time between build and start loses no leases.
        extendIfDue(time.now());
        Thread started = Threads.daemon(this::run, "redrive-leases");
        thread = started;
        started.start();
    }

    /** Stops extending: leases of unsettled events run out. */
    void stop() {
        stopped.countDown();
    }

    /** Extends due leases when no thread does; otherwise throws the last exception of that thread, once. */
    void beat(Instant now) {
        if (thread == null) {
            extendIfDue(now);
            return;
        }
        Throwable had = trouble;
        trouble = null;
        if (had instanceof Error error) {
            throw error;
        }
        if (had != null) {
            throw (RuntimeException) had;
        }
    }

    /** Returns when a step has to extend leases; never while a thread does. */
    Instant next() {
        return thread == null ? nextBeat : Instant.MAX;
    }

    private void run() {
        Duration tick = lease.dividedBy(TICKS_PER_LEASE);
        long nanos = Math.min(tick.toNanos(), LONGEST_TICK.toNanos());
        boolean goesOn = true;
        while (goesOn) {
            tick();
            try {
                goesOn = !stopped.await(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // Only the stop ends this thread.
            }
        }
    }

    private void tick() {
        try {
            watch.check(listeners, time.now());
            if (watch.keepsLeases()) {
                extendIfDue(time.now());
            }
        } catch (RuntimeException | Error e) {
            // The pipeline's thread tells listeners. The next tick tries again.
            trouble = e;
        }
    }

    private void extendIfDue(Instant now) {
        if (Chore.isDue(nextBeat, now, lease)) {
            ownership.extend(() -> {
                if (!inFlight.isEmpty()) {
                    store.extend(inFlight.tokens(), lease, now);
                }
            });
            nextBeat = now.plus(lease.dividedBy(BEATS_PER_LEASE));
        }
    }
}
