package io.redrive.pekko;

import io.redrive.core.DurationText;
import io.redrive.core.Reason;
import io.redrive.events.AbandonedEvent;
import io.redrive.events.AttemptRecord;
import java.time.Duration;
import java.util.Optional;

/** Takes messages that are given up to the dead-letter sink, with the history of their attempts, where there is a sink. */
final class DeadLetterWriter<C> {

    private final RetryBehavior<C> retry;

    DeadLetterWriter(RetryBehavior<C> retry) {
        this.retry = retry;
    }

    boolean keepsHistory() {
        return retry.sink() != null;
    }

    void rememberRetry(FailedAttempt<C> failed, Duration delay) {
        if (keepsHistory()) {
            remember(failed, "retry", "after " + DurationText.format(delay));
        }
    }

    void rememberEnd(FailedAttempt<C> failed, Reason reason) {
        if (keepsHistory()) {
            remember(failed, "dead", reason.code());
        }
    }

    private void remember(FailedAttempt<C> failed, String decision, String why) {
        Duration took = Duration.ofNanos(Math.max(0, retry.time().nanos() - failed.startNanos()));
        AttemptRecord line = new AttemptRecord(
                failed.number(),
                retry.time().now().minus(took),
                failed.actor().getSelf().path().toString(),
                took,
                failed.failure().type(),
                failed.failure().message(),
                decision,
                why);
        failed.pending().remember(line, AbandonedEvent.MAX_HISTORY);
    }

    /** What the sink threw, when it did not keep the message. */
    Optional<Exception> bury(FailedAttempt<C> failed, Reason reason) {
        if (retry.sink() == null) {
            return Optional.empty();
        }
        try {
            retry.sink()
                    .accept(new AbandonedEvent<>(
                            failed.message(),
                            retry.keyOf(failed.message()),
                            failed.number(),
                            failed.failure().message(),
                            failed.failure().type(),
                            reason,
                            retry.name(),
                            retry.time().now(),
                            failed.pending().history()));
            return Optional.empty();
        } catch (Exception notKept) {
            failed.actor()
                    .getLog()
                    .error(
                            "dead-letter sink of {} failed; a message of type {} is lost",
                            retry.name(),
                            failed.messageType(),
                            notKept);
            return Optional.of(notKept);
        }
    }
}
