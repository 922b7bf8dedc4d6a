package io.redrive.pekko;

import io.redrive.core.Time;
import io.redrive.events.AttemptRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.Cancellable;
import org.jspecify.annotations.Nullable;

/**
 * A pending message with the state of its attempts, and with the timer of the next attempt. Kept small, because an outage makes many messages pending at once; no exception is kept.
 */
final class PendingMessage<C> {

    final C message;
    /** The permit of the circuit breaker. */
    final long permit;

    private final long startNanos;
    private int attempts;
    private int run;
    private boolean runUnderWay;
    private Duration previousDelay = Duration.ZERO;
    private long waitedNanos;
    private @Nullable Cancellable timer;
    private List<AttemptRecord> history = List.of();

    // Written by WaitingMessages only: the list with this message, and the neighbours in the list.
    @Nullable
    WaitingMessages<C> owner;

    @Nullable
    PendingMessage<C> previous;

    @Nullable
    PendingMessage<C> next;

    PendingMessage(C message, long permit, long startNanos) {
        this.message = message;
        this.permit = permit;
        this.startNanos = startNanos;
    }

    /** Attempts that failed so far. */
    int attempts() {
        return attempts;
    }

    void attemptFailed() {
        attempts++;
    }

    Duration previousDelay() {
        return previousDelay;
    }

    void waits(Duration delay) {
        previousDelay = delay;
        waitedNanos += delay.toNanos();
    }

    void timer(Cancellable newTimer) {
        timer = newTimer;
    }

    void timerFired() {
        timer = null;
    }

    void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Begins a run and returns its number. */
    int beginRun() {
        runUnderWay = true;
        return ++run;
    }

    /** Ends the run {@code number}; returns false without any change when this run is not under way. */
    boolean endRun(int number) {
        boolean ends = runUnderWay && run == number;
        runUnderWay &= !ends;
        return ends;
    }

    /** Abandons the run under way, whose result will be ignored; returns false when no run is under way. */
    boolean abandonRun() {
        return endRun(run);
    }

    /**
     * Time since the first attempt, at least the sum of the waits: in a test that moves Pekko's scheduler by hand, the clock
     * may stand still.
     */
    Duration elapsed(Time time) {
        return Duration.ofNanos(Math.max(waitedNanos, time.nanos() - startNanos));
    }

    /** Adds an attempt to the history; beyond {@code limit} the oldest attempt is forgotten. */
    void remember(AttemptRecord attempt, int limit) {
        if (history.isEmpty()) {
            history = new ArrayList<>(2);
        }
        if (history.size() == limit) {
            history.remove(0);
        }
        history.add(attempt);
    }

    List<AttemptRecord> history() {
        return history;
    }

    /** The text in the log of Pekko's dead letters; names the type of the message, never its content. */
    @Override
    public String toString() {
        return "retry of " + message.getClass().getSimpleName() + " after " + attempts
                + (attempts == 1 ? " attempt" : " attempts");
    }
}
