package io.redrive.core;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stops calls to a downstream that keeps failing. A closed breaker lets calls through and counts their outcomes. When
 * too many of the last calls failed, the breaker opens and refuses every call. After {@link Builder#openFor} the
 * breaker is half-open and lets a few trial calls through: the breaker closes when all trial calls succeed, and opens
 * again when a trial call fails. Thread-safe; share one instance between all calls to one downstream.
 *
 * <p>Around a {@link Retry}, the breaker counts whole calls, retries included, not single attempts.
 *
 * <p>Defaults: opens when 50 % of the last 100 calls failed, judged from 10 calls on; stays open for 30 s; 3 trial
 * calls.
 *
 * <p>How: the state is one immutable {@link Phase} in a volatile field. A permit is the number of the phase that
 * granted the permit, so an outcome that arrives in a later phase is ignored. In a full window without failures
 * another success changes nothing, so a healthy downstream costs no write.
 */
public final class CircuitBreaker {

    /** The state of a breaker. */
    public enum State {
        /** Calls pass and are counted. */
        CLOSED,
        /** Calls are refused. */
        OPEN,
        /** A few trial calls pass. */
        HALF_OPEN
    }

    private static final Logger LOG = System.getLogger(CircuitBreaker.class.getPackageName());

    /** The answer of {@link #tryEnter} when no call may pass. */
    public static final long REFUSED = -1;

    private final String name;
    private final int failureCount;
    private final double failureRate;
    private final int minimumCalls;
    private final Duration openFor;
    private final int trialCalls;
    private final Predicate<? super Throwable> ignored;
    private final Time time;
    private final List<RetryListener> listeners;
    private final OutcomeWindow window;
    private volatile Phase phase;

    /** One stay in a state; {@code number} is the permit of the calls that pass. */
    private record Phase(State state, long number, long openedAtNanos) {}

    // Guarded by this.
    private int trialsLeft;
    private int trialsSucceeded;

    private CircuitBreaker(Builder builder) {
        name = builder.name;
        failureCount = builder.failureCount;
        failureRate = builder.failureRate;
        minimumCalls = builder.minimumCalls;
        openFor = builder.openFor;
        trialCalls = builder.trialCalls;
        ignored = builder.ignored;
        time = builder.time;
        listeners = List.copyOf(builder.listeners);
        window = new OutcomeWindow(builder.window);
        phase = new Phase(State.CLOSED, 0, 0);
    }

    /** Returns a closed breaker with the defaults. */
    public static CircuitBreaker of(String name) {
        return builder(name).build();
    }

    /** Returns a builder with the defaults. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Asks to make a call. Returns a permit to hand back with the outcome of the call, or {@link #REFUSED}. */
    public long tryEnter() {
        Phase now = phase;
        return now.state == State.CLOSED ? now.number : enterUnlessClosed();
    }

    /** Counts a successful call. */
    public void succeeded(long permit) {
        Phase now = phase;
        if (now.number == permit && !(now.state == State.CLOSED && window.isFullOfSuccesses())) {
            record(permit, false);
        }
    }

    /** Counts a failed call, unless {@link Builder#ignore} accepts the exception. Null when the call did not throw. */
    public void failed(long permit, @Nullable Throwable error) {
        if (error != null && isIgnored(error)) {
            abandoned(permit);
        } else {
            record(permit, true);
        }
    }

    /** Ends a call whose outcome says nothing about the downstream (cancelled, interrupted). */
    public synchronized void abandoned(long permit) {
        if (phase.number == permit && phase.state == State.HALF_OPEN) {
            trialsLeft++;
        }
    }

    /** Returns the state. A breaker whose open time is over stays {@link State#OPEN} until the next call. */
    public State state() {
        return phase.state;
    }

    /** Returns how long the breaker stays open; zero when calls may pass. */
    public Duration remainingOpen() {
        Phase now = phase;
        if (now.state != State.OPEN) {
            return Duration.ZERO;
        }
        Duration left = openFor.minusNanos(time.nanos() - now.openedAtNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns the breaker's name. */
    public String name() {
        return name;
    }

    /** Opens the breaker by hand, as if too many calls had failed. */
    public void open() {
        RetryListener.@Nullable BreakerChanged change;
        synchronized (this) {
            change = moveTo(State.OPEN);
        }
        announce(change);
    }

    /** Closes the breaker by hand and forgets all counted outcomes. */
    public void close() {
        RetryListener.@Nullable BreakerChanged change;
        synchronized (this) {
            change = moveTo(State.CLOSED);
        }
        announce(change);
    }

    @Override
    public String toString() {
        return "circuit breaker '" + name + "' ("
                + (failureCount > 0 ? failureCount + " failures" : DurationText.number(failureRate * 100) + "% failed")
                + " of the last " + window.size() + " calls, open for " + DurationText.format(openFor) + ")";
    }

    private long enterUnlessClosed() {
        RetryListener.@Nullable BreakerChanged change = null;
        long permit = REFUSED;
        synchronized (this) {
            if (phase.state == State.OPEN && remainingOpen().isZero()) {
                change = moveTo(State.HALF_OPEN);
            }
            if (phase.state == State.CLOSED) {
                permit = phase.number;
            } else if (phase.state == State.HALF_OPEN && trialsLeft > 0) {
                trialsLeft--;
                permit = phase.number;
            }
        }
        announce(change);
        return permit;
    }

    private void record(long permit, boolean failure) {
        RetryListener.@Nullable BreakerChanged change = null;
        synchronized (this) {
            if (phase.number != permit) {
                return;
            }
            if (phase.state == State.CLOSED) {
                window.add(failure);
                if (tooManyFailed()) {
                    change = moveTo(State.OPEN);
                }
            } else if (failure) {
                change = moveTo(State.OPEN);
            } else if (++trialsSucceeded == trialCalls) {
                change = moveTo(State.CLOSED);
            }
        }
        announce(change);
    }

    private boolean isIgnored(Throwable error) {
        try {
            return ignored.test(error);
        } catch (Throwable mistake) {
            GuardedLog.warn("ignore predicate of circuit breaker '" + name + "' threw; the failure counts: ", mistake);
            return false;
        }
    }

    private boolean tooManyFailed() {
        if (failureCount > 0) {
            return window.failures() >= failureCount;
        }
        // A quotient, not a product: 55 of 100 is exactly 0.55, while 0.55 * 100 is a little more than 55.
        return window.calls() >= minimumCalls && (double) window.failures() / window.calls() >= failureRate;
    }

    /** Enters a state; returns the change to announce, or null when the state stays the same. */
    private RetryListener.@Nullable BreakerChanged moveTo(State to) {
        State from = phase.state;
        window.clear();
        trialsLeft = trialCalls;
        trialsSucceeded = 0;
        phase = new Phase(to, phase.number + 1, time.nanos());
        return from == to ? null : new RetryListener.BreakerChanged(name, from, to);
    }

    private void announce(RetryListener.@Nullable BreakerChanged change) {
        if (change != null) {
            Listeners.tell(listeners, listener -> listener.onBreakerChanged(change));
        }
    }

    /** Builds a {@link CircuitBreaker}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private int failureCount;
        private double failureRate = 0.5;
        private int minimumCalls = 10;
        private int window = 100;
        private Duration openFor = Duration.ofSeconds(30);
        private int trialCalls = 3;
        private Predicate<? super Throwable> ignored = error -> false;
        private Time time = Time.system();
        private final List<RetryListener> listeners = new ArrayList<>(List.of(RetryListener.logging()));

        private Builder(String name) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("circuit breaker name must not be blank");
            }
            this.name = name;
        }

        /**
         * Opens the breaker at this many failures within the window. Default: judged by {@link #failureRate} instead.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder failureCount(int failures) {
            failureCount = atLeastOne("failureCount", failures);
            return this;
        }

        /**
         * Opens the breaker at this share of failures within the window. Default: 0.5. Replaces {@link #failureCount}.
         *
         * @throws IllegalArgumentException if the rate is not more than 0 and at most 1
         */
        public Builder failureRate(double rate) {
            if (!(rate > 0 && rate <= 1)) {
                throw new IllegalArgumentException("failureRate must be more than 0 and at most 1, got " + rate);
            }
            failureRate = rate;
            failureCount = 0;
            return this;
        }

        /**
         * Judges {@link #failureRate} only once the window has this many calls. Default: 10.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder minimumCalls(int calls) {
            minimumCalls = atLeastOne("minimumCalls", calls);
            return this;
        }

        /**
         * Sets how many of the last calls count. Default: 100.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder window(int calls) {
            window = atLeastOne("window", calls);
            return this;
        }

        /**
         * Sets how long an open breaker refuses calls before trial calls pass. Default: 30 s.
         *
         * @throws IllegalArgumentException if the duration is not longer than zero
         */
        public Builder openFor(Duration duration) {
            openFor = DurationText.requirePositive("openFor", duration);
            return this;
        }

        /**
         * Sets how many trial calls must succeed to close the breaker. Default: 3.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder trialCalls(int calls) {
            trialCalls = atLeastOne("trialCalls", calls);
            return this;
        }

        /**
         * Does not count failures that say nothing about the downstream, for example a caller's bad request. Default: counts
         * every failure. Replaces an earlier predicate.
         */
        public Builder ignore(Predicate<? super Throwable> predicate) {
            ignored = Objects.requireNonNull(predicate, "predicate");
            return this;
        }

        /** Sets the clock, for tests. Default: {@link Time#system()}. */
        public Builder time(Time clock) {
            time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Adds a listener for changes of state; every change is logged as well. */
        public Builder listener(RetryListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Returns the closed breaker.
         *
         * @throws IllegalArgumentException if {@code failureCount}, or {@code minimumCalls}, is more than the window
         */
        public CircuitBreaker build() {
            int needed = failureCount > 0 ? failureCount : minimumCalls;
            if (needed > window) {
                throw new IllegalArgumentException((failureCount > 0 ? "failureCount" : "minimumCalls")
                        + " must not exceed the window of " + window + " calls, got " + needed
                        + "; the breaker would never open");
            }
            return new CircuitBreaker(this);
        }

        private static int atLeastOne(String what, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(what + " must be at least 1, got " + value);
            }
            return value;
        }
    }
}
