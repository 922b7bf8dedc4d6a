package io.redrive.events;

import io.redrive.core.Reason;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A given-up event of another bus, or message of an actor, with the facts that explain why.
 *
 * @param originalEvent the event or message as delivered
 * @param idempotencyKey identifies the event in logs and in the dead-letter sink
 * @param attemptCount the number of handler runs
 * @param lastError the message of the last failure
 * @param errorType the short type of the last failure, for example {@code DocumentNotFoundException}
 * @param reason why the event was given up
 * @param serviceName the service of the handler
 * @param timestamp when the event was given up
 * @param history the failed attempts, oldest first; only the last {@link #MAX_HISTORY} of very many
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

    /** Returns the fields, without the history, under their JSON names, for the JSON library of the service. */
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
