package io.redrive.pekko;

import io.redrive.core.Failure;
import io.redrive.core.Reason;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What the callbacks of a {@link RetryBehavior} are told. Callbacks run in the actor and may use the actor's context; do not
 * pass the context to other threads.
 *
 * @param actor the context of the actor
 * @param message the message that failed
 * @param attempt the number of attempts made so far, the failed one included; 0 for a refused message
 * @param maxAttempts the number of attempts that the policy allows
 * @param failure the failure of the last attempt
 * @param delay the wait before the next attempt; zero when no attempt follows
 * @param elapsed time since the first attempt
 * @param reason why the message was given up; empty when it will be retried
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

    /** The log of the actor. */
    public Logger log() {
        return actor.getLog();
    }

    /** The exception that the last attempt threw; null when the policy did not accept the result of the attempt. */
    public @Nullable Throwable error() {
        return failure instanceof Failure.Thrown thrown ? thrown.error() : null;
    }
}
