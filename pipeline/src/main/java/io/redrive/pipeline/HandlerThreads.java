package io.redrive.pipeline;

import io.redrive.core.VirtualThreads;
import io.redrive.events.Lane;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handlers run on: an executor of the user's, or threads of the pipeline's own, named after its service and
 * the lane. The own ones are daemons: the pipeline's thread keeps the process alive until the pipeline is closed, and a
 * handler that never returns does not keep it alive any longer.
 */
final class HandlerThreads {

    private static final String PREFIX = "redrive-";

    private final Map<Lane, Executor> byLane = new EnumMap<>(Lane.class);
    private final List<ExecutorService> own = new ArrayList<>();

    private HandlerThreads() {}

    /** Tasks go to {@code executor}, which is neither named nor stopped here. */
    static HandlerThreads of(Executor executor) {
        HandlerThreads threads = new HandlerThreads();
        for (Lane lane : Lane.values()) {
            threads.byLane.put(lane, executor);
        }
        return threads;
    }

    /** Virtual threads where the JVM has them, else as many as there are tasks at once. */
    static HandlerThreads own(String service) {
        HandlerThreads threads = new HandlerThreads();
        String prefix = service.startsWith("redrive") ? service : PREFIX + service;
        for (Lane lane : Lane.values()) {
            AtomicInteger count = new AtomicInteger();
            String name = prefix + "-" + lane.name().toLowerCase(Locale.ROOT) + "-";
            ExecutorService virtual = VirtualThreads.newExecutor().orElse(null);
            if (virtual != null) {
                threads.own.add(virtual);
                threads.byLane.put(
                        lane,
                        task -> virtual.execute(() -> {
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
                threads.byLane.put(lane, pool);
            }
        }
        return threads;
    }

    Executor of(Lane lane) {
        return byLane.get(lane);
    }

    /** Interrupts the pipeline's own threads, for good. */
    void interrupt() {
        own.forEach(ExecutorService::shutdownNow);
    }
}
