package io.redrive.bench;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The records of one measurement: counts the records that ended, and takes the time from the first call of a handler to the last
 * end. Joining the group is not part of the time. A record that comes twice counts once. Thread-safe.
 */
final class KafkaRun {

    static final String RATE = "records/s";
    private static final long LIMIT_SECONDS = 240;

    private final int records;
    private final int failingOf;
    private final boolean failsOnce;
    private final AtomicIntegerArray calls;
    private final AtomicIntegerArray ended;
    private final AtomicLong left;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile long began;
    private volatile long finished;

    private KafkaRun(int records, int failingOf, boolean failsOnce) {
        this.records = records;
        this.failingOf = failingOf;
        this.failsOnce = failsOnce;
        calls = new AtomicIntegerArray(records);
        ended = new AtomicIntegerArray(records);
        left = new AtomicLong(records);
    }

    /** No record fails. */
    static KafkaRun clean(int records) {
        return new KafkaRun(records, 0, false);
    }

    /** One of {@code of} records fails at its first attempt. */
    static KafkaRun failingOnce(int records, int of) {
        return new KafkaRun(records, of, true);
    }

    /** One of {@code of} records fails for good. */
    static KafkaRun poisoned(int records, int of) {
        return new KafkaRun(records, of, false);
    }

    /**
     * A handler begins with a record. Returns true when the record must fail: each partition has the same share of failing records, so
     * that a contestant that slows down at failures does so from the beginning to the end.
     */
    boolean begins(int index) {
        if (began == 0) {
            begin();
        }
        if (failingOf == 0 || (index / KafkaBroker.PARTITIONS + index) % failingOf != 0) {
            return false;
        }
        return !failsOnce || calls.getAndIncrement(index) == 0;
    }

    private synchronized void begin() {
        if (began == 0) {
            began = System.nanoTime();
            begun.countDown();
        }
    }

    /** A record was handled, or is a dead letter. */
    void ends(int index) {
        if (ended.getAndSet(index, 1) == 0 && left.decrementAndGet() == 0) {
            finished = System.nanoTime();
            done.countDown();
        }
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /** Waits for the last record. */
    double perSecond() throws InterruptedException {
        if (!done.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(left.get() + " of " + records + " records have not ended");
        }
        return records / ((finished - began) / 1e9);
    }

    /** Waits for the last record, at most so long after the first call of a handler: then the records that ended by now count. */
    double perSecond(Duration atMost) throws InterruptedException {
        if (!begun.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no handler began within " + LIMIT_SECONDS + " s");
        }
        if (done.await(began + atMost.toNanos() - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return perSecond();
        }
        long now = System.nanoTime();
        return (records - left.get()) / ((now - began) / 1e9);
    }
}
