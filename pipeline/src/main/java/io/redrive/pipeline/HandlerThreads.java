package io.redrive.pipeline;

import io.redrive.core.VirtualThreads;
import io.redrive.events.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handlers run on: an executor of the user, or threads of the pipeline, named after service and lane.
 * Threads of the pipeline are daemons: the lifeline thread keeps the process alive until the pipeline is closed, and a
 * handler that never returns does not keep the process alive any longer.
 */
final class HandlerThreads {

    private static final String PREFIX = "redrive-";

    /** By the ordinal of the lane. */
    private final List<Executor> byLane = new ArrayList<>();

    private final List<ExecutorService> own = new ArrayList<>();

    private HandlerThreads() {}

    /** Returns threads that run tasks on {@code executor}, which is neither named nor stopped here. */
    static HandlerThreads of(Executor executor) {
        HandlerThreads threads = new HandlerThreads();
        for (Lane lane : Lane.values()) {
            threads.byLane.add(executor);
        }
        return threads;
    }

    /** Returns virtual threads where the JVM has them, else a thread for each task that runs at once. */
    static HandlerThreads own(String service) {
        HandlerThreads threads = new HandlerThreads();
        String prefix = service.startsWith("redrive") ? service : PREFIX + service;
        for (Lane lane : Lane.values()) {
            AtomicInteger count = new AtomicInteger();
            String name = prefix + "-" + lane.name().toLowerCase(Locale.ROOT) + "-";
            ExecutorService virtual = VirtualThreads.newExecutor().orElse(null);
            if (virtual != null) {
                threads.own.add(virtual);
                threads.byLane.add(task -> virtual.execute(() -> {
                    Thread.currentThread().setName(name + count.incrementAndGet());
                    task.run();
                }));
            } else {
                ExecutorService pool = Executors.newCachedThreadPool(task -> {
                    Thread thread = new Thread(task, name + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
                threads.own.add(pool);
                threads.byLane.add(pool);
            }
        }
        return threads;
    }

    Executor of(Lane lane) {
        return byLane.get(lane.ordinal());
    }

    /** Interrupts the threads of the pipeline and accepts no more tasks. */
    void interrupt() {
        own.forEach(ExecutorService::shutdownNow);
    }
}
