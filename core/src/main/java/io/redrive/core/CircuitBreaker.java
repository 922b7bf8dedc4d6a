package io.redrive.core;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Stops calling what keeps failing. Closed, it counts the outcome of the last calls; when too many failed it opens and
 * refuses every call; after a while it lets a few trial calls through (half-open), closes again when all of them
 * succeed and re-opens when one fails. Thread-safe; share one instance between the calls to one downstream.
 *
 * <p>Around a {@link Retry} it counts whole calls, retries included, not single attempts.
 *
 * <p>Defaults: opens when 50 % of the last 100 calls failed, judged from 10 calls on; open for 30 s; 3 trial calls.
 *
 * <p>How: the state is one immutable {@link Phase} in a volatile field. A permit is the number of the phase that gave
 * it, so an outcome that arrives after the state has moved on is ignored. With no failure in a full window another
 * success changes nothing, and the usual case writes no memory at all.
 */
public final class CircuitBreaker {

    /** Closed lets calls through, open refuses them, half-open lets trial calls through. */
    public enum State {
        /** Calls pass and are counted. */
        CLOSED,
        /** Calls are refused. */
        OPEN,
        /** A few trial calls pass. */
        HALF_OPEN
    }

    private static final Logger LOG = System.getLogger(CircuitBreaker.class.getPackageName());

    /** What {@link #tryEnter} answers when no call may pass. */
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

    /** One stay in a state; {@code number} is its permit. */
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

    /** A breaker with the defaults. */
    public static CircuitBreaker of(String name) {
        return builder(name).build();
    }

    /** A builder with the defaults. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Asks to make a call: a permit to hand back with its outcome, or {@link #REFUSED}. */
    public long tryEnter() {
        Phase now = phase;
        return now.state == State.CLOSED ? now.number : enterUnlessClosed();
    }

    /** The call went well. */
    public void succeeded(long permit) {
        Phase now = phase;
        if (now.number == permit && !(now.state == State.CLOSED && window.isFullOfSuccesses())) {
            record(permit, false);
        }
    }

    /** The call failed; a failure that {@link Builder#ignore} names leaves no trace. */
    public void failed(long permit, Throwable error) {
        if (error != null && isIgnored(error)) {
            abandoned(permit);
        } else {
            record(permit, true);
        }
    }

    /** The call ended without telling anything about the downstream (cancelled, interrupted). */
    public synchronized void abandoned(long permit) {
        if (phase.number == permit && phase.state == State.HALF_OPEN) {
            trialsLeft++;
        }
    }

    /** The state now; an open breaker whose time is over still says open until someone calls. */
    public State state() {
        return phase.state;
    }

    /** How long it stays open, zero when calls may pass. */
    public Duration remainingOpen() {
        Phase now = phase;
        if (now.state != State.OPEN) {
            return Duration.ZERO;
        }
        Duration left = openFor.minusNanos(time.nanos() - now.openedAtNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The name it was given. */
    public String name() {
        return name;
    }

    /** Opens it by hand, as if too many calls had failed. */
    public void open() {
        RetryListener.BreakerChanged change;
        synchronized (this) {
            change = moveTo(State.OPEN);
        }
        announce(change);
    }

    /** Closes it by hand and forgets what it counted. */
    public void close() {
        RetryListener.BreakerChanged change;
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
        RetryListener.BreakerChanged change = null;
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
        RetryListener.BreakerChanged change = null;
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

    private RetryListener.BreakerChanged moveTo(State to) {
        State from = phase.state;
        window.clear();
        trialsLeft = trialCalls;
        trialsSucceeded = 0;
        phase = new Phase(to, phase.number + 1, time.nanos());
        return from == to ? null : new RetryListener.BreakerChanged(name, from, to);
    }

    private void announce(RetryListener.BreakerChanged change) {
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

        /** Opens at this many failures within the window, instead of at a rate. */
        public Builder failureCount(int failures) {
            failureCount = atLeastOne("failureCount", failures);
            return this;
        }

        /** Opens at this share of failures within the window, more than 0 and at most 1. */
        public Builder failureRate(double rate) {
            if (!(rate > 0 && rate <= 1)) {
                throw new IllegalArgumentException("failureRate must be more than 0 and at most 1, got " + rate);
            }
            failureRate = rate;
            failureCount = 0;
            return this;
        }

        /** Judges the rate only from this many calls on. */
        public Builder minimumCalls(int calls) {
            minimumCalls = atLeastOne("minimumCalls", calls);
            return this;
        }

        /** How many of the last calls count. */
        public Builder window(int calls) {
            window = atLeastOne("window", calls);
            return this;
        }

        /** How long it refuses calls before it lets trial calls through. */
        public Builder openFor(Duration duration) {
            openFor = DurationText.requirePositive("openFor", duration);
            return this;
        }

        /** How many trial calls must succeed to close it again. */
        public Builder trialCalls(int calls) {
            trialCalls = atLeastOne("trialCalls", calls);
            return this;
        }

        /** Failures that say nothing about the downstream, such as a caller's own bad request. */
        public Builder ignore(Predicate<? super Throwable> predicate) {
            ignored = Objects.requireNonNull(predicate, "predicate");
            return this;
        }

        /** The clock to use. */
        public Builder time(Time clock) {
            time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Hears every change of state, besides the log. */
        public Builder listener(RetryListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** The breaker, closed. */
        public CircuitBreaker build() {
            int needed = failureCount > 0 ? failureCount : minimumCalls;
            if (needed > window) {
                throw new IllegalArgumentException((failureCount > 0 ? "failureCount" : "minimumCalls")
                        + " must not exceed the window of " + window + " calls, got " + needed
                        + "; it would never open");
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
