package io.redrive.pekko;

import io.redrive.core.Failure;
import io.redrive.core.Reason;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.slf4j.Logger;

/**
 * What the callbacks of a {@link RetryBehavior} are told. They run in the actor: the context may be used, and nothing of it
 * kept for other threads.
 *
 * @param actor the actor
 * @param message the message that failed
 * @param attempt how many attempts were made at it, the failed one included; 0 when a circuit breaker let none through
 * @param maxAttempts how many the policy allows
 * @param failure how the last one failed
 * @param delay the wait before the next attempt; zero when none follows
 * @param elapsed time since the first attempt
 * @param reason why it was given up; empty when it will be retried
 * @param <C> the type of messages
 */
public record RetryContext<C>(
        ActorContext<C> actor,
        C message,
        int attempt,
        int maxAttempts,
        Failure failure,
        Duration delay,
        Duration elapsed,
        Optional<Reason> reason) {

    /** The actor's log. */
    public Logger log() {
        return actor.getLog();
    }

    /** What the last attempt threw; null when it returned a result that will not do. */
    public Throwable error() {
        return failure instanceof Failure.Thrown thrown ? thrown.error() : null;
    }
}
