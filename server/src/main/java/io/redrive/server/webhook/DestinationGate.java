package io.redrive.server.webhook;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The limits of one destination on this node: concurrency, rate, circuit breaker, and the time that the destination asked for. Each
 * request asks the gate with {@link #enter}. The answer is an open entry, or a delay after which the delivery event is due again.
 *
 * <p>Delays are given out as <em>turns</em>. The first refused request gets the moment at which the destination is expected to be
 * free, and each further request a moment one spacing later: the expected time of a request divided by the concurrency, or the
 * interval of the rate. A thousand refused events thus become due one after another, instead of all at once. A destination that
 * has stood still for less than {@link #HICCUP} keeps its usual spacing: a pause of a tenth of a second, of the destination or
 * of this process, must not spread the next events over seconds.
 *
 * <p>A refusal costs two writes of the store. A destination that answers within {@link #QUICK} is free again sooner than that, so the
 * handler's thread waits inside {@code enter} for a request to leave. The number of waiting threads is limited, and no thread waits
 * at a destination that hangs: such a destination holds as many threads as its concurrency and no more. Thread-safe.
 */
final class DestinationGate {

    /** The answer to a request that wants to enter. */
    sealed interface Entry {

        /** The request may be sent. {@code permit} belongs to {@link #leave}. */
        record Open(long permit, long since) implements Entry {}

        /** The request must wait for at least {@code delay}. */
        record Later(Duration delay) implements Entry {}
    }

    /** The state of the destination, as the answer to a request shows it. */
    enum Result {
        /** The destination works. */
        ALIVE,
        /** The destination is overloaded or broken. */
        BROKEN,
        /** The request never reached the destination. */
        UNKNOWN
    }

    /** A destination with shorter requests is waited for. */
    private static final long QUICK = Duration.ofMillis(100).toNanos();

    /** A destination that stood still for longer is expected to stay slow. */
    private static final long HICCUP = Duration.ofSeconds(1).toNanos();

    private static final long LONGEST_TURN = Duration.ofMinutes(10).toNanos();
    private static final long SHORTEST_TURN = TimeUnit.MICROSECONDS.toNanos(20);
    /** Threads that may wait at a quick destination, for each request that may be sent at a time. */
    private static final int WAITING_SHARE = 4;

    private static final Duration LEAST_WAIT = Duration.ofMillis(20);
    private static final Duration MOST_SLOWED = Duration.ofHours(1);
    private static final Duration FIRST_SLOWED = Duration.ofSeconds(1);
    private static final Duration MOST_UNASKED = Duration.ofMinutes(1);
    private static final int KEPT_SHARE = 8;

    private final Route.Limits limits;
    private final CircuitBreaker breaker;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    // Guarded by the lock.
    private int inFlight;
    private int waiting;
    /** Places of requests that left, kept for waiting threads. Counted in {@link #inFlight} too, so that no other thread enters. */
    private int kept;

    private long slowedUntil;
    private Duration nextSlow = FIRST_SLOWED;
    private long nextTurn;
    private long nextOfRate;
    /** Moving average of the time of a request, in nanoseconds. */
    private long usual;
    /** When a request last entered or left. */
    private long lastMoved;

    DestinationGate(String route, Route.Limits limits, Time time) {
        this.limits = limits;
        this.time = time;
        breaker = CircuitBreaker.builder(Route.PREFIX + route)
                .failureRate(0.5)
                .minimumCalls(5)
                .window(20)
                .openFor(Duration.ofSeconds(30))
                .trialCalls(1)
                .time(time)
                .build();
        long now = time.nanos();
        slowedUntil = now;
        nextTurn = now;
        nextOfRate = now;
        lastMoved = now;
    }

    /** Asks to send a request. The caller of an open entry must call {@link #leave} when the request has ended. */
    Entry enter() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = time.nanos();
            if (slowedUntil - now > 0) {
                return later(slowedUntil, now);
            }
            if (inFlight >= limits.concurrency()) {
                boolean free = isFreeInAMoment();
                // The time of a request does not include the wait for its place.
                now = time.nanos();
                if (!free) {
                    return later(now + Math.max(expected(now), SHORTEST_TURN), now);
                }
                if (slowedUntil - now > 0) {
                    return later(slowedUntil, now);
                }
            }
            long spacing = spacing();
            if (spacing > 0 && nextOfRate - now > spacing) {
                return later(nextOfRate, now);
            }
            long permit = breaker.tryEnter();
            if (permit == CircuitBreaker.REFUSED) {
                return later(now + Math.max(breaker.remainingOpen().toNanos(), TimeUnit.SECONDS.toNanos(1)), now);
            }
            if (spacing > 0) {
                nextOfRate = Math.max(nextOfRate, now) + spacing;
            }
            inFlight++;
            lastMoved = now;
            return new Entry.Open(permit, now);
        } finally {
            lock.unlock();
        }
    }

    /** Ends an entry. {@code result} moves the circuit breaker, the duration of the request moves the expected time. */
    void leave(Entry.Open entry, Result result) {
        switch (result) {
            case ALIVE -> breaker.succeeded(entry.permit());
            case BROKEN -> breaker.failed(entry.permit(), null);
            case UNKNOWN -> breaker.abandoned(entry.permit());
        }
        lock.lock();
        try {
            lastMoved = time.nanos();
            long took = lastMoved - entry.since();
            usual += (took - usual) / KEPT_SHARE;
            if (result == Result.ALIVE) {
                nextSlow = FIRST_SLOWED;
            }
            if (waiting > kept) {
                // The place goes to the thread that has waited longest. The thread that just left would take a free
                // place first, and waiting threads would be woken for nothing until their patience is over.
                kept++;
                left.signal();
            } else {
                inFlight--;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Refuses all requests for a while, because the destination asked for time.
     *
     * @param asked the time that the destination named; zero when the destination named none: the gate then takes a second, and twice
     *     the last time after each further such answer
     */
    void slow(Duration asked) {
        lock.lock();
        try {
            Duration time = asked;
            if (asked.isZero()) {
                time = nextSlow;
                nextSlow = shorter(nextSlow.multipliedBy(2), MOST_UNASKED);
            }
            long until = this.time.nanos() + shorter(time, MOST_SLOWED).toNanos();
            slowedUntil = until - slowedUntil > 0 ? until : slowedUntil;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the breaker and forgets all turns: an operator has enabled the route. */
    void reset() {
        breaker.close();
        lock.lock();
        try {
            slowedUntil = time.nanos();
            nextTurn = slowedUntil;
            nextSlow = FIRST_SLOWED;
        } finally {
            lock.unlock();
        }
    }

    CircuitBreaker.State breakerState() {
        return breaker.state();
    }

    /** Waits for a request to leave. Returns false at once when requests take longer, or when too many threads wait already. */
    private boolean isFreeInAMoment() throws InterruptedException {
        if (expected(time.nanos()) > QUICK || waiting >= WAITING_SHARE * limits.concurrency()) {
            return false;
        }
        long patience = QUICK;
        waiting++;
        try {
            do {
                patience = left.awaitNanos(patience);
            } while (kept == 0 && patience > 0);
        } finally {
            waiting--;
            if (kept > 0) {
                kept--;
                inFlight--;
            }
        }
        return inFlight < limits.concurrency();
    }

    private Entry.Later later(long earliest, long now) {
        long turn = Math.max(nextTurn, earliest);
        long expected = expected(now);
        long request = expected > HICCUP ? expected : usual;
        nextTurn = Math.min(
                turn + Math.max(Math.max(request / limits.concurrency(), spacing()), SHORTEST_TURN),
                now + LONGEST_TURN);
        Duration delay = Duration.ofNanos(turn - now);
        return new Entry.Later(delay.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : delay);
    }

    /** Returns the expected time of a request: the average, or the time since a request last left while all entries are taken. */
    private long expected(long now) {
        return inFlight < limits.concurrency() ? usual : Math.max(usual, now - lastMoved);
    }

    /** Returns the nanoseconds between two requests by the rate; zero without a rate. */
    private long spacing() {
        return limits.rate()
                .map(rate -> (long) (TimeUnit.SECONDS.toNanos(1) / rate))
                .orElse(0L);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
