package io.redrive.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue of assignments and a limited number of tasks, which take assignments from the queue. Each task works on one
 * assignment after the other until the queue is empty, so a slow assignment delays no assignment while a task is idle.
 *
 * <p>Starting a task costs more than a quick handler. So tasks start in a chain: the coordinator starts the first task, and
 * each task that finds a second assignment in the queue starts the next task before its own work. When handlers are quick, the
 * queue is empty before many tasks have started; when the first handler blocks, all slots are at work a moment later. While
 * assignments wait, one of three facts holds: the last started task has not begun, or has started the next task, or all slots
 * are taken.
 *
 * <p>Only the coordinator calls {@link #add}, {@link #start}, {@link #count}, {@link #takeBack} and reads the numbers; tasks
 * touch the queue and the counters.
 */
final class Slots {

    /** Assignments that quick handlers end within this time may wait beyond the slots. */
    private static final long PERIOD_NANOS = 1_000_000;

    private final Executor executor;
    private final Supplier<Worker> workers;
    private final Runnable wake;
    private final Queue<Assignment> waiting = new ConcurrentLinkedQueue<>();
    private final Set<Worker> busy = ConcurrentHashMap.newKeySet();
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicBoolean starting = new AtomicBoolean();
    private final AtomicInteger ended = new AtomicInteger();
    private final IntSupplier slots;
    private volatile int replaced;
    /** The number of ended assignments at which a task wakes the coordinator: half of the outstanding ones. */
    private volatile int wakeAt = 1;
    // The fields below belong to the coordinator's thread.
    /** Assignments that were added and have not ended. */
    private int outstanding;
    /** Assignments that may wait beyond the slots. */
    private int ahead;
    /** Begin of the period in which {@link #endedInPeriod} is counted, by the monotonic clock. */
    private long periodBegan;

    private int endedInPeriod;
    /** Assignments that ended in a {@link #PERIOD_NANOS} of the last period. */
    private int pace;

    /** The number of slots may change: a smaller number lets tasks end between two assignments. */
    Slots(IntSupplier slots, Executor executor, Supplier<Worker> workers, Runnable wake) {
        this.slots = slots;
        this.executor = executor;
        this.workers = workers;
        this.wake = wake;
    }

    void add(Assignment work) {
        outstanding++;
        waiting.add(work);
    }

    /** Counts the assignments that have ended since the last call. */
    void count(long nanos) {
        int some = ended.getAndSet(0);
        outstanding -= some;
        endedInPeriod += some;
        long passed = nanos - periodBegan;
        if (passed >= PERIOD_NANOS) {
            pace = (int) (endedInPeriod * PERIOD_NANOS / passed);
            periodBegan = nanos;
            endedInPeriod = 0;
        }
        ahead = Math.max(some, pace);
    }

    /** Returns true when a task is idle or another could be started. */
    boolean isIdle() {
        return outstanding < limit();
    }

    /**
     * Returns how many assignments may be added. As many may wait as ended since the last step, or end within a millisecond:
     * quick handlers never stand idle and need few steps of the coordinator, and behind slow handlers next to nothing waits, so
     * that a later event of another source takes its turn.
     */
    int room() {
        return limit() + ahead - outstanding;
    }

    /** Allows one more task for each handler that does not return, up to twice the number of slots. */
    void replace(int stuck) {
        replaced = Math.min(stuck, slots.getAsInt());
    }

    /** Returns the handler calls under way. */
    List<Worker.Call> calls() {
        return busy.stream().map(Worker::call).filter(Objects::nonNull).toList();
    }

    private int limit() {
        return slots.getAsInt() + replaced;
    }

    /**
     * Starts a task when an assignment waits and one more task may run.
     *
     * @return the assignments that no task will take: the executor refused, and no task is left
     */
    List<Assignment> start() {
        wakeAt = Math.max(1, outstanding / 2);
        return start(null) || tasks.get() > 0 ? List.of() : takeBack();
    }

    /** Removes and returns the assignments that no task has begun. */
    List<Assignment> takeBack() {
        List<Assignment> back = new ArrayList<>();
        for (Assignment next = waiting.poll(); next != null; next = waiting.poll()) {
            back.add(next);
        }
        outstanding -= back.size();
        return back;
    }

    /**
     * Returns false when the executor refused. Only one start at a time, so the count of tasks stays within the limit.
     */
    private boolean start(@Nullable Thread chainedBy) {
        if (waiting.isEmpty() || !starting.compareAndSet(false, true)) {
            return true;
        }
        if (tasks.get() >= limit()) {
            starting.set(false);
            return true;
        }
        tasks.incrementAndGet();
        Task task = new Task(chainedBy);
        try {
            executor.execute(task);
            task.handedOver = true;
            return true;
        } catch (RuntimeException | Error e) {
            // A user's executor may be full or shut down, and the machine out of threads: the events are put off.
            tasks.decrementAndGet();
            starting.set(false);
            return false;
        }
    }

    /** Works on assignments until none waits. */
    private final class Task implements Runnable {
        /** The thread of the task that started this task; null when the coordinator did. */
        private final @Nullable Thread chainedBy;

        private volatile boolean handedOver;

        Task(@Nullable Thread chainedBy) {
            this.chainedBy = chainedBy;
        }

        @Override
        public void run() {
            starting.set(false);
            try {
                // On an executor that runs tasks on the caller's thread, the starting task takes the next assignments
                // itself, in order.
                if (handedOver || chainedBy != Thread.currentThread()) {
                    workAll();
                }
            } finally {
                tasks.decrementAndGet();
                // An assignment that was added after the last poll gets a task in the coordinator's next step.
                wake.run();
            }
        }

        private void workAll() {
            try (Worker worker = workers.get()) {
                busy.add(worker);
                try {
                    Assignment next = waiting.poll();
                    start(Thread.currentThread());
                    for (; next != null; next = tasks.get() > limit() ? null : waiting.poll()) {
                        work(worker, next);
                    }
                } finally {
                    busy.remove(worker);
                }
            }
        }

        private void work(Worker worker, Assignment work) {
            try {
                worker.work(work);
            } finally {
                if (ended.incrementAndGet() == wakeAt) {
                    wake.run();
                }
            }
        }
    }
}
