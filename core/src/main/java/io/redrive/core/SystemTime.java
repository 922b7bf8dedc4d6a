package io.redrive.core;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

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
        Future<?> future = Timer.EXECUTOR.schedule(task, Backoff.nanosOf(delay), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Started only when something is scheduled: a program that never waits asynchronously has no extra thread. */
    private static final class Timer {
        static final ScheduledThreadPoolExecutor EXECUTOR = executor();

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
