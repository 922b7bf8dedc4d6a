package io.redrive.pipeline;

import io.redrive.core.Reason;
import io.redrive.events.Settlement;
import java.time.Duration;

/** What the {@link Processor} decides about a claim before any handler sees the event. */
sealed interface Verdict {

    /** The event goes to this handler. */
    record Handle(Handlers.Registration by) implements Verdict {}

    /** The event becomes a dead letter. */
    record Reject(Reason reason, String message) implements Verdict {}

    /** The deadline of the event passed before a handler began: a dead letter, reason {@code ttl_exceeded}. */
    record Expired() implements Verdict {}

    /** The event is ready again after {@code delay}. No attempt is spent. */
    record PutOff(Duration delay, Settlement.Snooze.Cause cause) implements Verdict {}
}
