package io.redrive.kafka;

import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Makes dead letters of records in dead-letter topics. Each record becomes a letter: parts that no store would take are left out, and
 * the letter is marked as redacted, because an import that refused a record would meet the same record for ever.
 *
 * @param mapping how the original records become events
 * @param maxPayload the most bytes of a payload
 */
record FoundLetters(RecordMapping mapping, int maxPayload) {

    private static final Logger LOG = System.getLogger(FoundLetters.class.getName());
    private static final RecordMapping STANDARD = RecordMapping.standard();

    DeadLetter letter(KafkaRecord found) {
        ForeignFailure failure = ForeignFailure.of(found);
        Event event = event(found, failure.original());
        AttemptRecord last = new AttemptRecord(
                failure.attempts(),
                found.timestamp(),
                KeyNames.fitting(failure.writer()),
                Duration.ZERO,
                failure.errorType(),
                failure.message(),
                "dead",
                failure.reason().code());
        DeadLetter letter = new DeadLetter(
                0,
                event,
                Optional.empty(),
                failure.reason(),
                last.errorType(),
                last.message(),
                failure.fingerprint().orElseGet(() -> Fingerprint.of(last.errorType(), last.message())),
                KeyNames.fitting(failure.group()),
                new Attempts(failure.attempts(), 0, 0),
                0,
                0,
                found.timestamp(),
                List.of(last));
        return fitting(letter, found);
    }

    /** A record that was no readable event is named after its topic, like a record without headers. */
    private Event event(KafkaRecord found, KafkaRecord original) {
        KafkaRecord bare = without(original, original.key());
        try {
            return event(mapping.toEvent(original), found, original, original).build();
        } catch (RuntimeException unreadable) {
            try {
                return event(STANDARD.toEvent(bare), found, original, original).build();
            } catch (IllegalArgumentException tooLarge) {
                return withoutHeaders(found, original, tooLarge);
            }
        }
    }

    private Event withoutHeaders(KafkaRecord found, KafkaRecord original, IllegalArgumentException tooLarge) {
        LOG.log(
                Level.WARNING,
                "record " + found.place() + " is imported without its key and its headers: " + tooLarge.getMessage());
        KafkaRecord bare = without(original, Optional.empty());
        try {
            return marked(event(mapping.toEvent(original), found, original, bare), "headers");
        } catch (RuntimeException unreadable) {
            return marked(event(STANDARD.toEvent(bare), found, original, bare), "headers");
        }
    }

    /** A letter of Redrive keeps the id of its event; any other record is identified by its own place. */
    private static Event.Builder event(Event.Builder event, KafkaRecord found, KafkaRecord original, KafkaRecord kept) {
        boolean hasOwnId = original.text("ce_specversion").isPresent()
                || found.text(LetterHeaders.LETTER).isPresent();
        if (!hasOwnId) {
            event.id(KeyNames.fitting(found.topic() + "-" + found.partition() + "-" + found.offset()));
        }
        return RecordEnvelope.wrap(event, kept).header(RecordEnvelope.LETTER_PLACE, found.place());
    }

    private DeadLetter fitting(DeadLetter letter, KafkaRecord found) {
        int size = letter.event().payloadSize();
        if (size <= maxPayload) {
            return letter;
        }
        LOG.log(
                Level.WARNING,
                "record " + found.place() + " is imported without its payload of " + size
                        + " bytes, because the store keeps at most " + maxPayload
                        + "; the letter can be redriven only after an edit");
        return withoutPayload(letter);
    }

    static DeadLetter withoutPayload(DeadLetter letter) {
        Event event = letter.event();
        Event.Builder cut = event.toBuilder().payload(new byte[0], event.contentType());
        String others = DeadLetter.redactedParts(event).contains("headers") ? " headers" : "";
        return new DeadLetter(
                letter.id(),
                marked(cut, "payload" + others),
                letter.originalPayload(),
                letter.reason(),
                letter.errorType(),
                letter.lastError(),
                letter.fingerprint(),
                letter.service(),
                letter.attempts(),
                letter.redrives(),
                letter.automaticRedrives(),
                letter.deadAt(),
                letter.history());
    }

    private static Event marked(Event.Builder event, String parts) {
        return event.header(DeadLetter.REDACTED_HEADER, parts).build();
    }

    private static KafkaRecord without(KafkaRecord record, Optional<byte[]> key) {
        return new KafkaRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                key,
                record.value(),
                List.of());
    }
}
