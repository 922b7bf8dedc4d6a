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
import java.util.function.Supplier;

/**
 * A queue of work and the tasks that take from it, a limited number at once. Each task takes one piece of work after the
 * other until the queue is empty, so one slow piece never holds up another that an idle task could run.
 *
 * <p>Starting a task costs more than a quick handler does. So tasks start one after the other: the coordinator starts one,
 * and each task that finds more work waiting behind its first piece starts the next before it begins. When handlers are
 * quick, the queue is empty before many have started; when the first blocks, all of them are at work a moment later. While
 * work waits, the task that was started last has not begun, or has started another, or all slots are taken.
 *
 * <p>Only the coordinator calls {@link #add}, {@link #start}, {@link #count}, {@link #takeBack} and reads the numbers; tasks
 * touch the queue and the counters.
 */
final class Slots {

    private final Executor executor;
    private final Supplier<Worker> workers;
    private final Runnable wake;
    private final Queue<Assignment> waiting = new ConcurrentLinkedQueue<>();
    private final Set<Worker> busy = ConcurrentHashMap.newKeySet();
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicBoolean starting = new AtomicBoolean();
    private final AtomicInteger ended = new AtomicInteger();
    private final int slots;
    private volatile int replaced;
    // The rest is the coordinator's own.
    private int outstanding;
    private int ahead;

    Slots(int slots, Executor executor, Supplier<Worker> workers, Runnable wake) {
        this.slots = slots;
        this.executor = executor;
        this.workers = workers;
        this.wake = wake;
    }

    void add(Assignment work) {
        outstanding++;
        waiting.add(work);
    }

    /** Counts the work that has ended since the last call. */
    void count() {
        ahead = ended.getAndSet(0);
        outstanding -= ahead;
    }

    /** True when a task has nothing to do, or could be started. */
    boolean isIdle() {
        return outstanding < limit();
    }

    /**
     * How much more work may be added. As much may wait as has ended since the last step: quick handlers never stand idle,
     * and behind slow ones next to nothing waits, so that what comes later, of another source perhaps, takes its turn.
     */
    int room() {
        return limit() + ahead - outstanding;
    }

    /** Allows a task more for each whose handler does not return, at most as many more as there are slots. */
    void replace(int stuck) {
        replaced = Math.min(stuck, slots);
    }

    /** The handler calls under way. */
    List<Worker.Call> calls() {
        return busy.stream().map(Worker::call).filter(Objects::nonNull).toList();
    }

    private int limit() {
        return slots + replaced;
    }

    /**
     * Starts a task when work waits and one more may run.
     *
     * @return the work that nobody will do: the executor refused, and no task is left to take it
     */
    List<Assignment> start() {
        return start(null) || tasks.get() > 0 ? List.of() : takeBack();
    }

    /** Takes back the work that no task has begun. */
    List<Assignment> takeBack() {
        List<Assignment> back = new ArrayList<>();
        for (Assignment next = waiting.poll(); next != null; next = waiting.poll()) {
            back.add(next);
        }
        outstanding -= back.size();
        return back;
    }

    /** False when the executor refused. One at a time: only the starter counts tasks up, so the limit holds. */
    private boolean start(Thread chainedBy) {
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
            // A foreign executor may be full or shut down, and the machine out of threads: not the events' fault.
            tasks.decrementAndGet();
            starting.set(false);
            return false;
        }
    }

    /** Does work until none waits. */
    private final class Task implements Runnable {
        /** The task's thread that started this one, or null when the coordinator did. */
        private final Thread chainedBy;

        private volatile boolean handedOver;

        Task(Thread chainedBy) {
            this.chainedBy = chainedBy;
        }

        @Override
        public void run() {
            starting.set(false);
            try {
                // An executor that runs tasks on the caller's thread: the caller goes on by itself, in order.
                if (handedOver || chainedBy != Thread.currentThread()) {
                    workAll();
                }
            } finally {
                tasks.decrementAndGet();
                // Work that was added just now, after the last look, gets a task in the coordinator's next step.
                wake.run();
            }
        }

        private void workAll() {
            try (Worker worker = workers.get()) {
                busy.add(worker);
                try {
                    Assignment next = waiting.poll();
                    start(Thread.currentThread());
                    for (; next != null; next = waiting.poll()) {
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
                ended.incrementAndGet();
            }
        }
    }
}
