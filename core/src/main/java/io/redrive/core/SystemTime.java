package io.redrive.core;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The machine's clock. One daemon thread starts all that is due; it only hands work on, so one is enough. */
final class SystemTime implements Time {

    static final SystemTime INSTANCE = new SystemTime();

    private SystemTime() {}

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting");
        }
        if (!duration.isZero()) {
            TimeUnit.NANOSECONDS.sleep(Backoff.nanosOf(duration));
        }
    }

    @Override
    public Scheduled schedule(Duration delay, Runnable task) {
        Timer.holdPlace();
        Future<?> future = Timer.EXECUTOR.schedule(task, Backoff.nanosOf(delay), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** How many tasks are in the queue. */
    static int queued() {
        return Timer.EXECUTOR.getQueue().size();
    }

    /**
     * Started only when something is scheduled: a program that never waits asynchronously has no extra thread.
     *
     * <p>Most tasks are alarms of calls that return long before: scheduled, and called off at once. Each would be the first in
     * an empty queue and wake the thread for nothing. So while tasks come, one that does nothing stands before them.
     */
    private static final class Timer {
        static final ScheduledThreadPoolExecutor EXECUTOR = executor();

        private static final long PLACE_MILLIS = 100;
        private static final AtomicBoolean PLACE_HELD = new AtomicBoolean();
        private static volatile boolean wanted;

        static void holdPlace() {
            if (!wanted) {
                wanted = true;
            }
            if (!PLACE_HELD.get() && PLACE_HELD.compareAndSet(false, true)) {
                EXECUTOR.schedule(Timer::holdOrLeave, PLACE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private static void holdOrLeave() {
            if (wanted) {
                wanted = false;
                EXECUTOR.schedule(Timer::holdOrLeave, PLACE_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                PLACE_HELD.set(false);
            }
        }

        private static ScheduledThreadPoolExecutor executor() {
            ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, "redrive-timer");
                thread.setDaemon(true);
                return thread;
            });
            timer.setRemoveOnCancelPolicy(true);
            return timer;
        }
    }
}
