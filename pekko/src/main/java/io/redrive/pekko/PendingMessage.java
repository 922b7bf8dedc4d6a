package io.redrive.pekko;

import io.redrive.core.Time;
import io.redrive.events.AttemptRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.TypedActorContext;

/**
 * A message that was not handled at its first attempt, with all there is to know about its attempts. It waits for its timer,
 * which sends this very object to the actor, or for an asynchronous result. Small, because there may be many; in particular
 * no exception is kept.
 */
final class PendingMessage<C> extends SelfMessage<C> {

    final C message;
    /** The permit of the circuit breaker. */
    final long permit;

    private final long startNanos;
    private int attempts;
    private int run;
    private boolean awaiting;
    private Duration previousDelay = Duration.ZERO;
    private long waitedNanos;
    private Cancellable timer;
    private List<AttemptRecord> history;

    // Links and owner belong to WaitingMessages.
    WaitingMessages<C> owner;
    PendingMessage<C> before;
    PendingMessage<C> after;

    PendingMessage(C message, long permit, long startNanos) {
        this.message = message;
        this.permit = permit;
        this.startNanos = startNanos;
    }

    /** Attempts that ended. */
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

    void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Begins a run whose result arrives later; the number tells it from runs that were abandoned. */
    int beginRun() {
        awaiting = true;
        return ++run;
    }

    /** True when this is the run under way; it ends with that. */
    boolean endRun(int number) {
        boolean underWay = awaiting && run == number;
        awaiting &= !underWay;
        return underWay;
    }

    /** Whatever the run under way brings is not wanted any more; false when there is none. */
    boolean abandonRun() {
        return endRun(run);
    }

    /** The waits count even under a scheduler that a test moves by hand, where the clock stands still. */
    Duration elapsed(Time time) {
        return Duration.ofNanos(Math.max(waitedNanos, time.nanos() - startNanos));
    }

    void remember(AttemptRecord line, int limit) {
        if (history == null) {
            history = new ArrayList<>(2);
        }
        if (history.size() == limit) {
            history.remove(0);
        }
        history.add(line);
    }

    List<AttemptRecord> history() {
        return history == null ? List.of() : history;
    }

    @Override
    Behavior<C> arriveAt(RetryingActorBehavior<C> actor, TypedActorContext<C> ctx) {
        timer = null;
        return actor.again(ctx, this);
    }

    /** What the log of Pekko's dead letters shows; never the message itself. */
    @Override
    public String toString() {
        return "retry of " + message.getClass().getSimpleName() + " after " + attempts
                + (attempts == 1 ? " attempt" : " attempts");
    }
}
