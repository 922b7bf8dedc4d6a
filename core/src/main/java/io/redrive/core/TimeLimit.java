package io.redrive.core;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits calls that one thread makes one after the other: interrupts it once a call takes too long. An interrupt that came
 * too late is taken back, so that it never reaches the next call.
 *
 * <p>One alarm does for many calls. It is set at the first, and when it goes off in the midst of a later one, it is set
 * again for the time that one has left. So a call costs two writes, and quick calls by the million set an alarm now and
 * then.
 *
 * <pre>{@code
 * try (TimeLimit limit = new TimeLimit(Time.system(), Duration.ofSeconds(2))) {
 *     for (Order order : orders) {
 *         limit.call(() -> client.charge(order));
 *     }
 * }
 * }</pre>
 */
public final class TimeLimit implements AutoCloseable {

    // States besides the number of the call under way, which is positive.
    private static final long IDLE = 0;
    private static final long INTERRUPTING = -1;
    private static final long INTERRUPTED = -2;

    private final Thread worker = Thread.currentThread();
    private final Time time;
    private final Duration limit;
    private final long limitNanos;
    private final AtomicLong state = new AtomicLong(IDLE);
    private final AtomicBoolean alarmSet = new AtomicBoolean();
    private volatile long began;
    private volatile Time.Scheduled alarm;
    private volatile boolean closed;
    private long calls;

    /** For calls of the current thread. */
    public TimeLimit(Time time, Duration limit) {
        DurationText.requirePositive("limit", limit);
        this.time = time;
        this.limit = limit;
        limitNanos = Backoff.nanosOf(limit);
    }

    /** Runs the operation; throws {@link AttemptTimeoutException} when it took too long, whatever it returned or threw. */
    public <T> T call(Operation<? extends T, ?> operation) throws Exception {
        begin();
        T returned = null;
        Throwable thrown = null;
        try {
            returned = operation.run();
        } catch (Throwable error) {
            thrown = error;
        }
        if (!endedInTime()) {
            // Also when it returned after all: the caller was promised an answer within the limit.
            throw (AttemptTimeoutException) new AttemptTimeoutException(limit).initCause(thrown);
        }
        if (thrown != null) {
            throw Retry.<RuntimeException>sneaky(thrown);
        }
        return returned;
    }

    /** Calls off an alarm that is still set. */
    @Override
    public void close() {
        closed = true;
        Time.Scheduled last = alarm;
        if (last != null) {
            last.cancel();
        }
    }

    private void begin() {
        if (Thread.currentThread() != worker) {
            throw new IllegalStateException("a time limit must be used by the thread that made it ('" + worker.getName()
                    + "'), got '" + Thread.currentThread().getName() + "'; make one for each thread");
        }
        if (state.get() != IDLE) {
            throw new IllegalStateException(
                    "a time limit must be used for one call at a time, got one inside another; make one for each");
        }
        // Before the state: an old alarm that goes off now must not find this call with the time of the last.
        began = time.nanos();
        state.set(++calls);
        setAlarm(limitNanos);
    }

    private boolean endedInTime() {
        if (state.compareAndSet(calls, IDLE)) {
            return true;
        }
        while (state.get() != INTERRUPTED) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
        state.set(IDLE);
        return false;
    }

    private void setAlarm(long nanos) {
        if (!alarmSet.get() && alarmSet.compareAndSet(false, true)) {
            alarm = time.schedule(Duration.ofNanos(nanos), this::look);
            if (closed) {
                alarm.cancel();
            }
        }
    }

    /** When the alarm goes off. */
    private void look() {
        alarmSet.set(false);
        // After that: a call that begins now sets its own alarm.
        for (long call = state.get(); call > IDLE; call = state.get()) {
            // Of this call, or of one after it.
            long left = limitNanos - (time.nanos() - began);
            if (left > 0) {
                setAlarm(left);
                return;
            }
            if (state.compareAndSet(call, INTERRUPTING)) {
                worker.interrupt();
                state.set(INTERRUPTED);
                return;
            }
        }
    }
}
