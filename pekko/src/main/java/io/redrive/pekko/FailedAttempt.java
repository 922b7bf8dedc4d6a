package io.redrive.pekko;

import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * One failed attempt of one message.
 *
 * @param policy the policy that decides whether the message is retried
 * @param startNanos when the attempt began; 0 where attempts are not timed
 */
record FailedAttempt<C>(
        ActorContext<C> actor,
        RetryPolicy policy,
        Time time,
        PendingMessage<C> pending,
        Failure failure,
        long startNanos) {

    C message() {
        return pending.message;
    }

    /** The type of the message, for logs: the content of a message is never logged. */
    String messageType() {
        return message().getClass().getSimpleName();
    }

    int number() {
        return pending.attempts();
    }

    int maxAttempts() {
        return policy.maxAttempts();
    }

    Duration elapsed() {
        return pending.elapsed(time);
    }

    /** The exception that the attempt threw; null when the attempt failed by its result, or was cancelled. */
    @Nullable
    Throwable error() {
        return failure instanceof Failure.Thrown thrown ? thrown.error() : null;
    }

    RetryContext<C> context(Duration delay, Optional<Reason> reason) {
        return new RetryContext<>(actor, message(), number(), maxAttempts(), failure, delay, elapsed(), reason);
    }
}
