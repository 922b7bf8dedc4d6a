package io.redrive.core;

import java.time.Duration;
import java.util.function.Function;

/** The answer of {@link RetryPolicy#decide} about a failed attempt: wait and try again, or give up for a reason. */
public sealed interface Decision {

    /** Try again once {@code delay} has passed. */
    record RetryAfter(Duration delay) implements Decision {
        /** Refuses a negative delay. */
        public RetryAfter {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay must not be negative, got " + delay);
            }
        }
    }

    /** Do not try again. */
    record GiveUp(Reason reason) implements Decision {}

    /** Returns the decision to give up for {@code reason}. */
    static GiveUp giveUp(Reason reason) {
        return new GiveUp(reason);
    }

    /** Applies the function for this kind of decision. */
    default <R> R match(Function<RetryAfter, R> retry, Function<GiveUp, R> giveUp) {
        if (this instanceof RetryAfter retryAfter) {
            return retry.apply(retryAfter);
        }
        return giveUp.apply((GiveUp) this);
    }
}
