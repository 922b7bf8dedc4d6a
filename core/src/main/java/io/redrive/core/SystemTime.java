package io.redrive.core;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The machine's clock. One daemon thread starts all scheduled tasks; tasks only hand work on, so one thread is
 * enough.
 */
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
     * The thread for scheduled tasks. It starts with the first task: a program that never waits asynchronously has no
     * extra thread.
     *
     * <p>Most tasks are alarms of calls that return much sooner: scheduled and cancelled at once. Each alarm would be
     * the first in an empty queue and wake the thread in vain. So while tasks arrive, a placeholder task stays at the
     * head of the queue.
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
