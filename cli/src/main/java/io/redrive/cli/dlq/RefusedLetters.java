package io.redrive.cli.dlq;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.kafka.KafkaRecord;
import io.redrive.kafka.LetterReader;
import io.redrive.operations.LetterImport;
import java.util.List;
import java.util.function.Consumer;

/**
 * Imports pages of letters whose letters the store may refuse, mostly because of their size. A refused letter is imported without its
 * payload, or left in its topic, and told with its place. Without this an import would stop at the same letter for ever.
 */
final class RefusedLetters {

    private final LetterImport imported;
    private final Consumer<String> tell;

    RefusedLetters(LetterImport imported, Consumer<String> tell) {
        this.imported = imported;
        this.tell = tell;
    }

    void add(List<DeadLetter> page) {
        try {
            imported.add(page);
        } catch (IllegalArgumentException refused) {
            page.forEach(this::addAlone);
        }
    }

    private void addAlone(DeadLetter letter) {
        try {
            imported.add(List.of(letter));
        } catch (IllegalArgumentException refused) {
            addWithoutPayload(letter, refused);
        }
    }

    private void addWithoutPayload(DeadLetter letter, IllegalArgumentException refused) {
        try {
            imported.add(List.of(LetterReader.withoutPayload(letter)));
            tell.accept("the record at " + placeOf(letter.event()) + " is imported without its payload: "
                    + refused.getMessage() + "; edit the letter before a redrive");
        } catch (IllegalArgumentException again) {
            tell.accept("the record at " + placeOf(letter.event()) + " is not imported and stays in its topic: "
                    + again.getMessage());
        }
    }

    /** Returns the place in the topic of letters, or that of the original record. */
    private static String placeOf(Event event) {
        String found = event.headers().get("kafka-letter-place");
        return found != null
                ? found
                : KafkaRecord.of(event).map(KafkaRecord::place).orElse(event.id());
    }
}
