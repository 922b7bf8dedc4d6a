package io.redrive.events;

import io.redrive.core.Reason;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An event of another bus, or a message of an actor, that was given up, with what somebody needs to see why.
 *
 * @param originalEvent the event or message as it was delivered
 * @param idempotencyKey what names it in logs, and tells it from others
 * @param attemptCount how often the handler ran
 * @param lastError what the last failure said
 * @param errorType its short type, such as {@code DocumentNotFoundException}
 * @param reason why it was given up
 * @param serviceName whose handler it was
 * @param timestamp when it was given up
 * @param history the failed attempts, oldest first; of very many, the last {@link #MAX_HISTORY}
 * @param <E> the type of events or messages
 */
public record AbandonedEvent<E>(
        E originalEvent,
        String idempotencyKey,
        int attemptCount,
        String lastError,
        String errorType,
        Reason reason,
        String serviceName,
        Instant timestamp,
        List<AttemptRecord> history) {

    /** Attempts kept in the history. */
    public static final int MAX_HISTORY = 100;

    /** Copies the history. */
    public AbandonedEvent {
        history = List.copyOf(history);
    }

    /** The fields under their names in JSON, for whichever writer of JSON the service has; without the history. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("original_event", originalEvent);
        fields.put("idempotency_key", idempotencyKey);
        fields.put("attempt_count", attemptCount);
        fields.put("last_error", lastError);
        fields.put("error_type", errorType);
        fields.put("abandoned_reason", reason.code());
        fields.put("service_name", serviceName);
        fields.put("timestamp", timestamp.toString());
        return fields;
    }
}
