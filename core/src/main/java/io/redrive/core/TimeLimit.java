package io.redrive.core;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits calls that one thread makes one after another: interrupts the thread once a call takes too long. An
 * interrupt that comes too late is cleared, so that it never reaches the next call.
 *
 * <p>One alarm serves many calls. The first call sets the alarm; an alarm that goes off during a later call is set
 * again for the remaining time of that call. A call costs two writes, and millions of quick calls set few alarms.
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
    private volatile Time.@Nullable Scheduled alarm;
    private volatile boolean closed;
    private long calls;

    /** For calls of the current thread. */
    public TimeLimit(Time time, Duration limit) {
        DurationText.requirePositive("limit", limit);
        this.time = time;
        this.limit = limit;
        limitNanos = Backoff.nanosOf(limit);
    }

    /**
     * Runs the operation and returns its value.
     *
     * @throws AttemptTimeoutException if the operation took too long, even when it returned a value or threw
     */
    public <T extends @Nullable Object> T call(Operation<? extends T, ?> operation) throws Exception {
        return call(time.nanos(), operation);
    }

    /**
     * {@link #call(Operation)} for a caller that has just read the clock: many quick calls spend most of their time with clocks.
     *
     * @param nanos the present time by the monotonic clock of this time limit
     */
    @SuppressWarnings("NullAway") // A null is returned only where the operation returned null.
    public <T extends @Nullable Object> T call(long nanos, Operation<? extends T, ?> operation) throws Exception {
        begin(nanos);
        @Nullable T returned = null;
        @Nullable Throwable thrown = null;
        try {
            returned = operation.run();
        } catch (Throwable error) {
            thrown = error;
        }
        if (!endedInTime()) {
            // A value that comes late is dropped: the caller was promised an answer within the limit.
            throw (AttemptTimeoutException) new AttemptTimeoutException(limit).initCause(thrown);
        }
        if (thrown != null) {
            throw Undeclared.<RuntimeException>sneaky(thrown);
        }
        return returned;
    }

    /** Cancels the alarm, if set. */
    @Override
    public void close() {
        closed = true;
        Time.@Nullable Scheduled last = alarm;
        if (last != null) {
            last.cancel();
        }
    }

    private void begin(long nanos) {
        if (Thread.currentThread() != worker) {
            throw new IllegalStateException("a time limit must be used by the thread that made it ('" + worker.getName()
                    + "'), got '" + Thread.currentThread().getName() + "'; make one for each thread");
        }
        if (state.get() != IDLE) {
            throw new IllegalStateException(
                    "a time limit must be used for one call at a time, got one inside another; make one for each");
        }
        // Set before the state: an old alarm that goes off in between must not judge this call by the start of the
        // previous call.
        began = nanos;
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
        // A call that begins after this line sets its own alarm.
        for (long call = state.get(); call > IDLE; call = state.get()) {
            // The start of this call, or of a later call.
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
