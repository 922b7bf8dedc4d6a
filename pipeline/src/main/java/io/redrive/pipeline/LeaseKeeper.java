package io.redrive.pipeline;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Extends the leases of the claimed events, three times before they would run out, and watches over the pipeline's thread. In
 * a running pipeline that happens on a thread that runs no code of the user's: no listener, log or policy that blocks
 * costs the pipeline its claims. In a pipeline that is stepped by hand each step does it.
 */
final class LeaseKeeper {

    private static final int BEATS_PER_LEASE = 3;
    private static final int TICKS_PER_LEASE = 9;
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

    private final EventStore store;
    private final Duration lease;
    private final InFlight inFlight;
    private final Hold hold;
    private final LoopWatch watch;
    private final Listeners listeners;
    private final Time time;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Thread thread;
    private volatile Throwable trouble;
    private Instant nextBeat = Instant.MIN;

    LeaseKeeper(Coordinator.Stations stations, InFlight inFlight) {
        this.inFlight = inFlight;
        store = stations.store();
        lease = stations.profile().lease();
        hold = stations.hold();
        watch = stations.watch();
        listeners = stations.surroundings().listeners();
        time = stations.surroundings().time();
    }

    /** From now on a thread extends the leases, until {@link #stop}. */
    void start() {
        // Nothing is claimed yet: a pipeline that was built long before it starts has lost nothing.
        extendIfDue(time.now());
        thread = Threads.daemon(this::run, "redrive-leases");
        thread.start();
    }

    /** Extends leases no more: those that are left run out. */
    void stop() {
        stopped.countDown();
    }

    /** Extends the leases if it is time to, unless a thread does it. Throws the trouble that the thread had. */
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

    /** When the next step is to extend leases. */
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
            // Told by the pipeline's thread: listeners are not for this one. The next tick tries again.
            trouble = e;
        }
    }

    private void extendIfDue(Instant now) {
        if (Chore.isDue(nextBeat, now, lease)) {
            hold.extend(() -> {
                if (!inFlight.isEmpty()) {
                    store.extend(inFlight.tokens(), lease, now);
                }
            });
            nextBeat = now.plus(lease.dividedBy(BEATS_PER_LEASE));
        }
    }
}
