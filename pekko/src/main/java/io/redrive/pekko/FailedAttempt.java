package io.redrive.pekko;

import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * One failure of one message.
 *
 * @param policy the policy that judges it
 * @param startNanos when the attempt began; only where attempts are timed
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

    /** Types go to the log, never what is in a message. */
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

    /** What was thrown; null when the failure is another one. */
    Throwable error() {
        return failure instanceof Failure.Thrown thrown ? thrown.error() : null;
    }

    RetryContext<C> context(Duration delay, Optional<Reason> reason) {
        return new RetryContext<>(actor, message(), number(), maxAttempts(), failure, delay, elapsed(), reason);
    }
}
