package io.redrive.bench;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * An open load: events are due to be published at fixed times, whether or not earlier events were handled. The latency of an
 * event runs from its due time to the start of its handler, so a stalled publisher cannot hide its stall.
 */
final class OpenLoad {

    private static final long GIVE_UP_AFTER_SECONDS = 120;
    /** The least time between two calls of the publisher: a busy publisher would take a core from the contestants. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final double perSecond;
    private final AtomicLongArray started;
    private final CountDownLatch left;

    OpenLoad(double perSecond, double seconds) {
        this.perSecond = perSecond;
        int events = (int) Math.max(1, perSecond * seconds);
        started = new AtomicLongArray(events);
        left = new CountDownLatch(events);
    }

    /** Publishes the events with the numbers {@code from} to {@code to} (exclusive) in one call. */
    interface Publisher {
        void publish(int from, int to) throws Exception;
    }

    /** The handler of this event has begun. */
    void started(int event) {
        if (started.compareAndSet(event, 0, System.nanoTime())) {
            left.countDown();
        }
    }

    /** Publishes all events at their times, waits until all have begun, and returns the latencies in milliseconds, sorted. */
    double[] latencies(Publisher publisher) throws Exception {
        long begin = System.nanoTime();
        int events = started.length();
        for (int published = 0; published < events; ) {
            long now = System.nanoTime();
            int due = (int) Math.min(events, (now - begin) / 1e9 * perSecond + 1);
            for (int to; published < due; published = to) {
                to = Math.min(due, published + EventLoad.BULK);
                publisher.publish(published, to);
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
        if (!left.await(GIVE_UP_AFTER_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    left.getCount() + " events did not begin within " + GIVE_UP_AFTER_SECONDS + " s");
        }
        double[] millis = new double[events];
        for (int i = 0; i < events; i++) {
            millis[i] = (started.get(i) - begin - i / perSecond * 1e9) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
    }
}
