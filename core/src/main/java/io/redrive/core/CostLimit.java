package io.redrive.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A limit by cost, such as 90,000 tokens a minute, for all calls that share one instance. A caller reserves an
 * estimate before the call and settles the actual cost after the call. Cost is spread evenly over the time: a tenth
 * of the limit may be reserved at once, and a call that costs more than the remaining balance puts the limit into
 * debt, which delays later calls. Over any period callers spend at most the limit, a tenth of the limit, and the cost
 * of one call. Thread-safe.
 *
 * <p>An instance limits the calls of its process. A run of items divides the limit among its processes by {@link #share}.
 * Handlers of events are not counted across processes: give each process its part, or call {@link #share} with the number of
 * processes.
 *
 * <pre>{@code
 * CostLimit tokens = CostLimit.of("tokens", 90_000, Duration.ofMinutes(1));
 * CostLimit.Reservation reserved = tokens.reserve(1_200);
 * try {
 *     Answer answer = model.ask(prompt);
 *     reserved.settle(answer.usage().totalTokens());
 * } finally {
 *     reserved.close();
 * }
 * }</pre>
 */
public final class CostLimit {

    private static final long MOST = 1_000_000_000_000L;
    private static final double BURST = 0.1;
    private static final Duration MOST_HELD = Duration.ofDays(1);

    private final String name;
    private final long amount;
    private final Duration per;
    private final Time time;
    private final Object lock = new Object();

    // Guarded by the lock.
    private double rate;
    private double size;
    private int processes = 1;
    private long allowed;
    private double balance;
    /** What the server has left for this process, by its own word; unlimited until it has told. */
    private double serverLeft = Double.POSITIVE_INFINITY;
    /** The time of the monotonic clock until which no call begins; empty when none was told. */
    private OptionalLong heldUntil = OptionalLong.empty();
    /** Sum of the estimates of calls under way. */
    private long reserved;

    private long refilled;
    private long total;

    private CostLimit(String name, long amount, Duration per, Time time) {
        this.name = Objects.requireNonNull(name, "name");
        if (amount < 1 || amount > MOST) {
            throw new IllegalArgumentException(
                    "cost limit '" + name + "' must be between 1 and " + MOST + ", got " + amount);
        }
        if (per.compareTo(Duration.ofMillis(1)) < 0 || per.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("cost limit '" + name + "' must be per 1ms to 1d, got per " + per);
        }
        this.amount = amount;
        this.per = per;
        this.time = Objects.requireNonNull(time, "time");
        allowed = amount;
        resize();
        balance = size;
        refilled = time.nanos();
    }

    /**
     * Returns a limit of {@code amount} in the time {@code per}, on the system's clock.
     *
     * @throws IllegalArgumentException if the amount is less than 1, or the time is not between 1 ms and 1 day
     */
    public static CostLimit of(String name, long amount, Duration per) {
        return new CostLimit(name, amount, per, Time.system());
    }

    /** Returns the same limit, unused, on another clock, for tests. */
    public CostLimit time(Time clock) {
        return new CostLimit(name, amount, per, clock);
    }

    /**
     * Waits until the limit has a balance, then reserves the estimate of a call.
     *
     * @throws IllegalArgumentException if the estimate is negative or more than the whole limit
     * @throws InterruptedException if the thread is interrupted during the wait
     */
    public Reservation reserve(long estimate) throws InterruptedException {
        while (true) {
            Optional<Reservation> reserved = tryReserve(estimate);
            if (reserved.isPresent()) {
                return reserved.get();
            }
            time.sleep(untilFree(estimate));
        }
    }

    /**
     * Reserves the estimate of a call without waiting. Returns empty, and reserves nothing, while the limit has no
     * balance.
     *
     * @throws IllegalArgumentException if the estimate is negative or more than the whole limit
     */
    public Optional<Reservation> tryReserve(long estimate) {
        if (estimate < 0 || estimate > amount) {
            throw new IllegalArgumentException("the estimate of a call must be between 0 and the whole limit '" + name
                    + "' of " + amount + " per " + DurationText.format(per) + ", got " + estimate);
        }
        synchronized (lock) {
            refill();
            if (balance <= 0 || serverLeft < neededAtServer(estimate) || heldNanos() > 0) {
                return Optional.empty();
            }
            balance -= estimate;
            serverLeft -= estimate;
            reserved += estimate;
            return Optional.of(new Reservation(estimate));
        }
    }

    /** Returns the time until a call of the least cost may be made; zero when such a call may be made at once. */
    public Duration untilFree() {
        return untilFree(0);
    }

    /** Returns the time until {@link #tryReserve} reserves this estimate; zero when it would at once. */
    public Duration untilFree(long estimate) {
        synchronized (lock) {
            refill();
            double lacking = Math.max(-balance, neededAtServer(estimate) - serverLeft);
            boolean isFree = balance > 0 && serverLeft >= neededAtServer(estimate);
            long refill = isFree ? 0 : (long) Math.ceil(Math.max(0, lacking) / rate) + 1;
            return Duration.ofNanos(Math.max(refill, heldNanos()));
        }
    }

    /** Returns what the server must have left for a call: its estimate, or the server's whole limit where that is less. */
    private double neededAtServer(long estimate) {
        return Math.min(Math.max(1, estimate), (double) allowed / processes);
    }

    /**
     * Divides the limit by the number of processes that share it: this instance gets one share.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public void share(int among) {
        if (among < 1) {
            throw new IllegalArgumentException("cost limit '" + name + "' must be shared by at least 1, got " + among);
        }
        synchronized (lock) {
            refill();
            processes = among;
            resize();
        }
    }

    /**
     * Adapts to the headers of an answer, such as {@code x-ratelimit-limit-tokens} and {@code
     * x-ratelimit-remaining-tokens}: lowers this limit to the server's, and lets a call wait while the server has less left
     * than the estimate of the call. A server that allows more changes nothing.
     *
     * @param limit the server's limit for the time of this limit; negative when unknown
     * @param remaining the server's remaining amount; negative when unknown
     */
    public void observe(long limit, long remaining) {
        synchronized (lock) {
            refill();
            if (limit > 0) {
                allowed = Math.min(amount, limit);
                resize();
            }
            if (remaining >= 0) {
                // The server may not have counted the calls under way yet.
                serverLeft = (double) remaining / processes - reserved;
            }
        }
    }

    /**
     * Lets no call begin for this time, at most a day: the server has nothing left until then, as {@code
     * x-ratelimit-reset-requests} says. Of two times the one that ends later holds.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    public void hold(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException(
                    "cost limit '" + name + "' must not be held for less than 0, got " + wait);
        }
        long nanos = (wait.compareTo(MOST_HELD) > 0 ? MOST_HELD : wait).toNanos();
        synchronized (lock) {
            if (nanos > heldNanos()) {
                heldUntil = OptionalLong.of(time.nanos() + nanos);
            }
        }
    }

    private long heldNanos() {
        return heldUntil.isEmpty() ? 0 : Math.max(0, heldUntil.getAsLong() - time.nanos());
    }

    /** Returns the total cost of all settled calls. */
    public long total() {
        synchronized (lock) {
            return total;
        }
    }

    /** Returns the name of the cost, such as {@code tokens}, which is also the unit in messages and reports. */
    public String name() {
        return name;
    }

    private void resize() {
        double share = (double) allowed / processes;
        rate = share / per.toNanos();
        size = Math.max(1, share * BURST);
        balance = Math.min(balance, size);
    }

    private void refill() {
        long now = time.nanos();
        balance = Math.min(size, balance + (now - refilled) * rate);
        // Infinite, as long as the server has told of nothing, and again once it must have everything back.
        serverLeft += (now - refilled) * rate;
        if (serverLeft >= (double) allowed / processes) {
            serverLeft = Double.POSITIVE_INFINITY;
        }
        refilled = now;
    }

    /**
     * An estimate taken from the limit. {@link #settle} replaces the estimate by the actual cost. A reservation
     * closed without an actual cost keeps the estimate, because a failed call may have cost as much. Thread-safe.
     */
    public final class Reservation implements AutoCloseable {
        private final long estimate;
        private boolean settled;
        private boolean reported;
        private long cost;

        private Reservation(long estimate) {
            this.estimate = estimate;
            cost = estimate;
        }

        /**
         * Replaces the estimate by the actual cost. A cost above the whole limit delays later calls only as long as
         * the whole limit would. A second call of this method changes nothing.
         *
         * @throws IllegalArgumentException if the cost is negative
         */
        public void settle(long actual) {
            if (actual < 0) {
                throw new IllegalArgumentException(
                        "the cost of a call against limit '" + name + "' must not be negative, got " + actual);
            }
            synchronized (lock) {
                reported |= !settled;
                end(actual);
            }
        }

        private void end(long actual) {
            if (!settled) {
                settled = true;
                cost = actual;
                total += actual;
                reserved -= estimate;
                refill();
                balance = Math.min(size, balance + estimate - Math.min(actual, amount));
                serverLeft += estimate - Math.min(actual, amount);
            }
        }

        /** Gives the estimate back: the call was not made. */
        public void cancel() {
            synchronized (lock) {
                if (!settled) {
                    settled = true;
                    cost = 0;
                    reserved -= estimate;
                    refill();
                    balance = Math.min(size, balance + estimate);
                    serverLeft += estimate;
                }
            }
        }

        /** Keeps the estimate as the cost, unless the reservation was settled or cancelled. */
        @Override
        public void close() {
            synchronized (lock) {
                end(estimate);
            }
        }

        /** Returns the cost: the actual cost once settled, zero once cancelled, otherwise the estimate. */
        public long cost() {
            synchronized (lock) {
                return cost;
            }
        }

        /** True when {@link #cost} is an actual cost and no estimate. */
        public boolean isActual() {
            synchronized (lock) {
                return reported;
            }
        }
    }
}
