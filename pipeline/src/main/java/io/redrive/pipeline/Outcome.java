package io.redrive.pipeline;

import io.redrive.core.Failure;
import java.time.Duration;
import java.util.Optional;

/** The outcome of handling one event. */
public sealed interface Outcome {

    /** The event was handled. */
    record Done() implements Outcome {}

    /** The event is retried, after {@code delay} where given, else after the policy's backoff. Uses up an attempt. */
    record Retry(Optional<Duration> delay, String why) implements Outcome {
        /** Refuses a negative delay. */
        public Retry {
            if (delay.filter(Duration::isNegative).isPresent()) {
                throw new IllegalArgumentException("retry delay must not be negative, got " + delay.get());
            }
        }
    }

    /** The event becomes a dead letter, reason {@code not_retryable}. */
    record Dead(String why) implements Outcome {}

    /** The event can never be handled: a dead letter, reason {@code invalid_event}. */
    record Invalid(Failure failure) implements Outcome {}

    /** The event is put off and ready again after {@code delay}. No attempt is spent. */
    record Snooze(Duration delay) implements Outcome {
        /** Refuses a delay that is not longer than zero. */
        public Snooze {
            if (delay.isNegative() || delay.isZero()) {
                throw new IllegalArgumentException("snooze delay must be longer than zero, got " + delay);
            }
        }
    }

    /** The event failed; the policy decides whether to retry. An exception of the handler means the same. */
    record Failed(Failure failure) implements Outcome {}

    /** The stop of the pipeline interrupted the handler. No attempt is spent. */
    record Interrupted() implements Outcome {}

    /** Reports a handled event. */
    static Outcome done() {
        return new Done();
    }

    /** Reports an event to retry after the policy's backoff. */
    static Outcome retry(String why) {
        return new Retry(Optional.empty(), why);
    }

    /** Reports an event to retry after {@code delay}. */
    static Outcome retry(Duration delay, String why) {
        return new Retry(Optional.of(delay), why);
    }

    /** Makes the event a dead letter, reason {@code not_retryable}. */
    static Outcome dead(String why) {
        return new Dead(why);
    }

    /** Makes the event a dead letter, reason {@code invalid_event}, with {@code error} as its cause. */
    static Outcome invalid(Throwable error) {
        return new Invalid(Failure.thrown(error));
    }

    /** Puts the event off. */
    static Outcome snooze(Duration delay) {
        return new Snooze(delay);
    }

    /** Reports a failure; the policy decides whether to retry. */
    static Outcome failed(Throwable error) {
        return new Failed(Failure.thrown(error));
    }
}
