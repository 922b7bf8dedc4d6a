package io.redrive.bench;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.HasStatus;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A downstream with a fixed number of workers, as a service with a pool of threads has: a call that finds no free worker waits,
 * and a call that finds too many waiting is refused with 503. Refusing costs a worker's time too, so a flood of calls lowers the
 * goodput, which is the number of calls that succeed in a second.
 */
final class LimitedDownstream {

    private static final int WORKERS = 12;
    private static final int QUEUE = 24;
    private static final long CALL_MILLIS = 10;
    private static final long REFUSAL_MILLIS = 3;

    private final Semaphore workers = new Semaphore(WORKERS, true);
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicLong succeeded = new AtomicLong();

    /** The answer 503. */
    private static final class Refused extends RuntimeException implements HasStatus {
        private static final long serialVersionUID = 1;

        Refused() {
            super("503", null, false, false);
        }

        @Override
        public int status() {
            return 503;
        }
    }

    private void call() throws InterruptedException {
        boolean accepted = present.incrementAndGet() <= WORKERS + QUEUE;
        try {
            workers.acquire();
            try {
                TimeUnit.MILLISECONDS.sleep(accepted ? CALL_MILLIS : REFUSAL_MILLIS);
            } finally {
                workers.release();
            }
        } finally {
            present.decrementAndGet();
        }
        if (!accepted) {
            throw new Refused();
        }
        succeeded.incrementAndGet();
    }

    /** Returns successful calls per second of handlers with this limit, after a second of warm-up. */
    static double goodput(EventStore store, AdaptiveLimit limit, double seconds) throws Exception {
        LimitedDownstream downstream = new LimitedDownstream();
        int events = (int) ((seconds + 3) * WORKERS * 1_000 / CALL_MILLIS * 2);
        for (int i = 0; i < events; i += EventLoad.BULK) {
            List<Event> bulk = new ArrayList<>();
            for (int k = 0; k < EventLoad.BULK; k++) {
                bulk.add(EventLoad.event());
            }
            store.publish(bulk, Instant.now());
        }
        try (Pipeline pipeline = Pipeline.on(store)
                .profile(Profile.STANDARD)
                .on("bench.*", event -> downstream.call())
                .adaptiveLimit("bench.*", limit)
                .start()) {
            TimeUnit.SECONDS.sleep(2);
            long before = downstream.succeeded.get();
            long begin = System.nanoTime();
            TimeUnit.MILLISECONDS.sleep((long) (seconds * 1_000));
            return (downstream.succeeded.get() - before) / ((System.nanoTime() - begin) / 1e9);
        }
    }
}
