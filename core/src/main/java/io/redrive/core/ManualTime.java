package io.redrive.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock for tests. The time stands still until {@link #advance} moves it, or until a thread {@link #sleep}s: a
 * sleep returns at once, with the time moved on. Scheduled tasks run on the thread that moves the time, in the order
 * of their due times. Thread-safe.
 *
 * <pre>{@code
 * ManualTime time = new ManualTime();
 * Retry.with(Presets.CONNECTION).time(time).run(() -> connect());
 * assertThat(time.sleeps()).containsExactly(ofSeconds(5), ofSeconds(10), ofSeconds(20), ofSeconds(40));
 * }</pre>
 */
public final class ManualTime implements Time {

    private final Object lock = new Object();
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::order));
    private final List<Duration> sleeps = new ArrayList<>();
    private Instant origin;
    private long nanos;
    private long scheduled;

    /** Starts on 1 January 2026, midnight UTC. */
    public ManualTime() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** Starts at {@code origin}. */
    public ManualTime(Instant origin) {
        this.origin = origin;
    }

    @Override
    public Instant now() {
        synchronized (lock) {
            return origin.plusNanos(nanos);
        }
    }

    @Override
    public long nanos() {
        synchronized (lock) {
            return nanos;
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting");
        }
        synchronized (lock) {
            sleeps.add(duration);
        }
        advance(duration);
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting");
        }
    }

    @Override
    public Scheduled schedule(Duration delay, Runnable action) {
        synchronized (lock) {
            Task task = new Task(saturatedAdd(nanos, Math.max(0, Backoff.nanosOf(delay))), scheduled++, action);
            tasks.add(task);
            return () -> {
                synchronized (lock) {
                    tasks.remove(task);
                }
            };
        }
    }

    /** Moves the time on and runs every task that comes due, each at its own time. */
    public void advance(Duration by) {
        DurationText.requireNotNegative("time to advance by", by);
        long target = saturatedAdd(nanos(), Backoff.nanosOf(by));
        for (Task task = nextDue(target); task != null; task = nextDue(target)) {
            task.action().run();
        }
        synchronized (lock) {
            nanos = Math.max(nanos, target);
        }
    }

    /** Moves the time to the next scheduled task and runs the task. Returns false when no task is scheduled. */
    public boolean advanceToNext() {
        Task task = nextDue(Long.MAX_VALUE);
        if (task == null) {
            return false;
        }
        task.action().run();
        return true;
    }

    /** Makes the wall clock jump, either way, while monotonic time goes on as before. */
    public void jump(Duration by) {
        synchronized (lock) {
            origin = origin.plus(by);
        }
    }

    /** Returns every wait of {@link #sleep}, in order. */
    public List<Duration> sleeps() {
        synchronized (lock) {
            return List.copyOf(sleeps);
        }
    }

    /** How many scheduled tasks are pending. */
    public int pending() {
        synchronized (lock) {
            return tasks.size();
        }
    }

    private @Nullable Task nextDue(long target) {
        synchronized (lock) {
            Task next = tasks.peek();
            if (next == null || next.dueNanos() > target) {
                return null;
            }
            tasks.poll();
            nanos = Math.max(nanos, next.dueNanos());
            return next;
        }
    }

    private static long saturatedAdd(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private record Task(long dueNanos, long order, Runnable action) {}
}
