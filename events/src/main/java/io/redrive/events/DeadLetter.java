package io.redrive.events;

import io.redrive.core.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An event that failed for good, with everything an operator needs to see why.
 *
 * @param id identifies the letter in its store
 * @param event the event, with its payload as edited last
 * @param originalPayload the payload as published, when it was edited since
 * @param reason why it was given up
 * @param errorType short type of the last failure
 * @param lastError what the last failure said
 * @param fingerprint the cause, for grouping; see {@link Fingerprint}
 * @param service whose pipeline gave up
 * @param attempts how often it was tried
 * @param redrives how often it was brought back before
 * @param automaticRedrives how many of those were automatic
 * @param deadAt when it was given up
 * @param history every failed attempt, oldest first; empty in listings
 */
public record DeadLetter(
        long id,
        Event event,
        Optional<byte[]> originalPayload,
        Reason reason,
        String errorType,
        String lastError,
        String fingerprint,
        String service,
        Attempts attempts,
        int redrives,
        int automaticRedrives,
        Instant deadAt,
        List<AttemptRecord> history) {

    /** Copies the history. */
    public DeadLetter {
        history = List.copyOf(history);
    }

    /** The same letter under another id. */
    DeadLetter withId(long other) {
        return new DeadLetter(
                other,
                event,
                originalPayload,
                reason,
                errorType,
                lastError,
                fingerprint,
                service,
                attempts,
                redrives,
                automaticRedrives,
                deadAt,
                history);
    }

    /** The key that the caller of an {@link EventRetry} gave, kept in a header; else the event's own. */
    public String idempotencyKey() {
        return event.headers().getOrDefault(DeadLetterSink.KEY_HEADER, event.idempotencyKey());
    }

    /** The letter with its payload replaced; of several edits, the first keeps the original. */
    DeadLetter withPayload(byte[] payload) {
        return new DeadLetter(
                id,
                event.toBuilder().payload(payload, event.contentType()).build(),
                originalPayload.or(() -> Optional.of(event.payload())),
                reason,
                errorType,
                lastError,
                fingerprint,
                service,
                attempts,
                redrives,
                automaticRedrives,
                deadAt,
                history);
    }

    /** The letter as it appears in listings. */
    DeadLetter withoutHistory() {
        return new DeadLetter(
                id,
                event,
                originalPayload,
                reason,
                errorType,
                lastError,
                fingerprint,
                service,
                attempts,
                redrives,
                automaticRedrives,
                deadAt,
                List.of());
    }
}
