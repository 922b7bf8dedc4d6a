package io.redrive.events;

import io.redrive.core.Reason;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An event that failed for good, with the facts that show an operator why.
 *
 * @param id identifies the letter in its store
 * @param event the event, with its payload as edited last
 * @param originalPayload the payload as published, if it was edited
 * @param reason why the event was given up
 * @param errorType the short type of the last failure
 * @param lastError the message of the last failure
 * @param fingerprint the cause, for grouping; see {@link Fingerprint}
 * @param service the service whose pipeline gave up
 * @param attempts the attempts of the event
 * @param redrives how often the event was redriven before
 * @param automaticRedrives the number of automatic redrives among {@code redrives}
 * @param deadAt when the event was given up
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

    /** The header of a letter's event that keeps the idempotency key of a handler of another bus. */
    public static final String KEY_HEADER = "idempotency_key";

    /**
     * The header that marks an event whose {@code payload}, {@code headers} or both were redacted; its value names the parts, separated
     * by a space. See {@link io.redrive.events.redaction}.
     */
    public static final String REDACTED_HEADER = "redrive-redacted";

    /** Copies the history. */
    public DeadLetter {
        history = List.copyOf(history);
    }

    /** Returns the same letter with another id. */
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

    /**
     * Returns the key that the caller of an {@link EventRetry} gave, kept in a header; otherwise the event's own key.
     */
    public String idempotencyKey() {
        return event.headers().getOrDefault(KEY_HEADER, event.idempotencyKey());
    }

    /** Returns true when this letter still has the payload of its exported copy. */
    public boolean hasPayloadOf(DeadLetter exported) {
        return Arrays.equals(event.payload(), exported.event().payload());
    }

    /** Returns true when payload or headers of the event were redacted. */
    public boolean isRedacted() {
        return event.headers().containsKey(REDACTED_HEADER);
    }

    /** Returns the parts of an event that were redacted: {@code payload}, {@code headers}. */
    public static List<String> redactedParts(Event event) {
        String mark = event.headers().getOrDefault(REDACTED_HEADER, "");
        return mark.isBlank() ? List.of() : List.of(mark.strip().split("\\s+"));
    }

    /**
     * Returns the value of {@link #REDACTED_HEADER} after an operator replaced the payload; empty when the event has no redacted part
     * left.
     */
    public static Optional<String> markAfterEdit(String mark) {
        String rest = String.join(
                " ",
                Stream.of(mark.strip().split("\\s+"))
                        .filter(part -> !part.equals("payload") && !part.isEmpty())
                        .toList());
        return rest.isEmpty() ? Optional.empty() : Optional.of(rest);
    }

    /** Returns the letter with a payload that an operator wrote: a redacted payload is whole again. */
    DeadLetter edited(byte[] payload) {
        String mark = event.headers().getOrDefault(REDACTED_HEADER, "");
        Event.Builder whole = event.toBuilder().withoutHeader(REDACTED_HEADER);
        markAfterEdit(mark).ifPresent(rest -> whole.header(REDACTED_HEADER, rest));
        return withPayload(payload)
                .withEvent(whole.payload(payload, event.contentType()).build());
    }

    /** Returns the letter with another payload; the payload before the first edit stays the original. */
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

    private DeadLetter withEvent(Event other) {
        return new DeadLetter(
                id,
                other,
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

    /** Returns the letter with another cause. */
    public DeadLetter withFingerprint(String other) {
        return new DeadLetter(
                id,
                event,
                originalPayload,
                reason,
                errorType,
                lastError,
                other,
                service,
                attempts,
                redrives,
                automaticRedrives,
                deadAt,
                history);
    }

    /** Returns the letter without its history, as listings show it. */
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
