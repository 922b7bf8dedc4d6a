package io.redrive.pekko;

import io.redrive.core.DurationText;
import io.redrive.core.Reason;
import io.redrive.events.AbandonedEvent;
import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetterSink;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes given-up messages, with the history of their attempts, to the dead-letter sink. Does nothing without a sink. */
final class DeadLetterWriter<C> {

    private final RetrySettings<C> settings;
    private final @Nullable DeadLetterSink<C> sink;

    DeadLetterWriter(RetrySettings<C> settings) {
        this.settings = settings;
        sink = settings.sink;
    }

    boolean hasSink() {
        return sink != null;
    }

    /** Adds a failed attempt, which will be retried, to the history of the message. */
    void recordRetry(FailedAttempt<C> failed, Duration delay) {
        if (hasSink()) {
            addToHistory(failed, "retry", "after " + DurationText.format(delay));
        }
    }

    /** Adds the last failed attempt to the history of the message. */
    void recordGiveUp(FailedAttempt<C> failed, Reason reason) {
        if (hasSink()) {
            addToHistory(failed, "dead", reason.code());
        }
    }

    private void addToHistory(FailedAttempt<C> failed, String decision, String why) {
        Duration took = Duration.ofNanos(Math.max(0, settings.time.nanos() - failed.startNanos()));
        AttemptRecord attempt = new AttemptRecord(
                failed.number(),
                settings.time.now().minus(took),
                failed.actor().getSelf().path().toString(),
                took,
                failed.failure().type(),
                failed.failure().message(),
                decision,
                why);
        failed.pending().remember(attempt, AbandonedEvent.MAX_HISTORY);
    }

    /** Writes the message to the sink. A failure of the sink is logged and returned. */
    Optional<Exception> write(FailedAttempt<C> failed, Reason reason) {
        if (sink == null) {
            return Optional.empty();
        }
        try {
            sink.accept(new AbandonedEvent<>(
                    failed.message(),
                    settings.keyOf.apply(failed.message()),
                    failed.number(),
                    failed.failure().message(),
                    failed.failure().type(),
                    reason,
                    settings.name,
                    settings.time.now(),
                    failed.pending().history()));
            return Optional.empty();
        } catch (Exception sinkFailure) {
            failed.actor()
                    .getLog()
                    .error(
                            "dead-letter sink of {} failed; a message of type {} is lost",
                            settings.name,
                            failed.messageType(),
                            sinkFailure);
            return Optional.of(sinkFailure);
        }
    }
}
