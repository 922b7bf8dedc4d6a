package io.redrive.events;

import io.redrive.core.Reason;
import java.time.Duration;

/**
 * Hears of events under an {@link EventRetry}; override the methods of interest. Listeners run on the handler's
 * thread and must be quick. An exception of a listener is logged and changes nothing.
 */
public interface EventRetryListener {

    /** The handler failed and will be called again. */
    default void onRetry(Retrying event) {}

    /** The handler succeeded, at the first attempt or a later one. */
    default void onSuccess(Succeeded event) {}

    /** The event was given up and went to the dead-letter sink. */
    default void onAbandoned(Abandoned event) {}

    /** The event was delivered again after its key had been handled; the handler is not called. */
    default void onDuplicate(Duplicate event) {}

    /** A retry after failed attempt {@code attempt}, {@code delay} from now. */
    record Retrying(String service, String idempotencyKey, int attempt, int maxAttempts, Duration delay) {}

    /** A success at attempt {@code attempts}, {@code latency} after the first attempt began. */
    record Succeeded(String service, String idempotencyKey, int attempts, Duration latency) {}

    /** The end of an event whose last failure was of type {@code errorType}. */
    record Abandoned(String service, String idempotencyKey, Reason reason, int attempts, String errorType) {}

    /** Another delivery of a handled key. */
    record Duplicate(String service, String idempotencyKey) {}
}
