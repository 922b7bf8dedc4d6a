package io.redrive.events.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.AbandonedEvent;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterSink;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Letters of events of other buses. */
class RedactedSinkTest {

    @Test
    void a_letter_of_another_bus_is_stored_without_secrets() throws Exception {
        InMemoryEventStore store = new InMemoryEventStore();
        Redaction redaction = Redaction.of(List.of("/card"), RedactionMode.STORED);
        DeadLetterSink<Event> sink =
                DeadLetterSink.into(store.deadLetters(), event -> event, redaction.forStorage()::letter);
        Event event = Event.named("order.paid")
                .source("shop")
                .json("{\"card\":\"4111\"}")
                .build();
        sink.accept(new AbandonedEvent<>(
                event, "key", 1, "card 4111 refused", "IOException", Reason.TIMEOUT, "shop", Instant.EPOCH, List.of()));
        DeadLetter letter = store.deadLetters().list(LetterFilter.ALL, 0, 1).get(0);
        assertThat(letter.event().text()).isEqualTo("{\"card\":\"[redacted]\"}");
        assertThat(letter.lastError()).isEqualTo("card [redacted] refused");
        assertThat(letter.fingerprint()).isEqualTo(Fingerprint.of("IOException", "card [redacted] refused"));
    }
}
