package io.redrive.pipeline;

import io.redrive.core.Failure;
import java.time.Duration;
import java.util.Optional;

/** What a handler says about one event. */
public sealed interface Outcome {

    /** Handled. */
    record Done() implements Outcome {}

    /** Try again, after {@code delay} where given, else after the policy's backoff; uses up an attempt. */
    record Retry(Optional<Duration> delay, String why) implements Outcome {
        /** Refuses a delay before now. */
        public Retry {
            if (delay.filter(Duration::isNegative).isPresent()) {
                throw new IllegalArgumentException("retry delay must not be negative, got " + delay.get());
            }
        }
    }

    /** Give up: it becomes a dead letter, reason {@code not_retryable}. */
    record Dead(String why) implements Outcome {}

    /** The event itself cannot be handled, whenever it is tried: a dead letter, reason {@code invalid_event}. */
    record Invalid(Failure failure) implements Outcome {}

    /** Not now: come back after {@code delay}; no attempt is spent. */
    record Snooze(Duration delay) implements Outcome {
        /** Refuses a delay that would spin. */
        public Snooze {
            if (delay.isNegative() || delay.isZero()) {
                throw new IllegalArgumentException("snooze delay must be longer than zero, got " + delay);
            }
        }
    }

    /** It failed; the policy decides what follows. Throwing from the handler means the same. */
    record Failed(Failure failure) implements Outcome {}

    /** The handler did not get to finish because the pipeline stops; no attempt is spent. */
    record Interrupted() implements Outcome {}

    /** Handled. */
    static Outcome done() {
        return new Done();
    }

    /** Try again after the policy's backoff. */
    static Outcome retry(String why) {
        return new Retry(Optional.empty(), why);
    }

    /** Try again after {@code delay}. */
    static Outcome retry(Duration delay, String why) {
        return new Retry(Optional.of(delay), why);
    }

    /** Give up. */
    static Outcome dead(String why) {
        return new Dead(why);
    }

    /** The event cannot be handled, because of what {@code error} says is wrong with it. */
    static Outcome invalid(Throwable error) {
        return new Invalid(Failure.thrown(error));
    }

    /** Not now. */
    static Outcome snooze(Duration delay) {
        return new Snooze(delay);
    }

    /** It failed. */
    static Outcome failed(Throwable error) {
        return new Failed(Failure.thrown(error));
    }
}
