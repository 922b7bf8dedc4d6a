package io.redrive.core;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls methods of exceptions and values within a time limit. Such methods may be user code, and user code may block
 * for ever, even against interrupts.
 *
 * <p>Methods that the JDK or core wrote are called on the caller's thread: the usual exception overrides nothing and
 * costs nothing more. Methods of other classes are called on a reading thread. After {@link #LIMIT} the caller stops
 * waiting, the reading thread is interrupted, and the caller goes on with the facts that were read until then.
 *
 * <p>A method that never returns keeps its reading thread, which is a daemon. At most {@link #MAX_THREADS} reading
 * threads exist; when blocked methods keep all of them, later readings end at their time limit.
 */
final class BoundedReading {

    /** Longest time of one reading. */
    static final Duration LIMIT = Duration.ofSeconds(2);

    /** Most readings at once; further readings wait within their own time limit. */
    static final int MAX_THREADS = 16;

    private static final List<String> METHODS =
            List.of("toString", "getMessage", "getLocalizedMessage", "getCause", "status", "kind", "retryAfter");

    /** Classes of core that override such methods, without user code in them. */
    private static final Set<Class<?>> HARMLESS =
            Set.of(AttemptTimeoutException.class, CircuitOpenException.class, HttpStatusException.class);

    private static final ClassValue<Boolean> RUNS_USER_CODE = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return METHODS.stream().anyMatch(method -> isUserCode(type, method));
        }
    };

    private static final ThreadPoolExecutor THREADS = threads();

    private BoundedReading() {}

    /** Returns true when a method that Redrive reads was written by neither the JDK nor core. */
    static boolean runsUserCode(Object subject) {
        return RUNS_USER_CODE.get(subject.getClass());
    }

    /** Runs {@code reading} as {@link #read} does. Returns false when it did not end in time, or threw. */
    static boolean ends(Runnable reading) {
        return read(
                () -> {
                    reading.run();
                    return true;
                },
                false);
    }

    /**
     * Runs {@code reading} on a reading thread. Returns {@code otherwise} when the reading did not end within {@link
     * #LIMIT}, or threw. An interrupt of the caller's thread does not end the wait, and is kept.
     */
    static <T> T read(Supplier<T> reading, T otherwise) {
        if (Thread.currentThread() instanceof ReadingThread) {
            // A reading inside a reading: the outer time limit holds for both.
            try {
                return reading.get();
            } catch (Throwable unreadable) {
                return otherwise;
            }
        }
        FutureTask<T> task = new FutureTask<>(reading::get);
        try {
            THREADS.execute(task);
            return await(task);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException | OutOfMemoryError e) {
            task.cancel(true);
            THREADS.remove(task);
            return otherwise;
        }
    }

    private static <T> T await(FutureTask<T> task) throws ExecutionException, TimeoutException {
        Time time = Time.system();
        long began = time.nanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(LIMIT.toNanos() - (time.nanos() - began), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isUserCode(Class<?> type, String method) {
        try {
            Class<?> owner = type.getMethod(method).getDeclaringClass();
            ClassLoader loader = owner.getClassLoader();
            return loader != null && loader != ClassLoader.getPlatformClassLoader() && !HARMLESS.contains(owner);
        } catch (NoSuchMethodException absent) {
            return false;
        } catch (LinkageError malformed) {
            return true;
        }
    }

    private static ThreadPoolExecutor threads() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                MAX_THREADS, MAX_THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ReadingThread::new);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static final class ReadingThread extends Thread {
        ReadingThread(Runnable task) {
            super(task, "redrive-reading");
            setDaemon(true);
        }
    }
}
