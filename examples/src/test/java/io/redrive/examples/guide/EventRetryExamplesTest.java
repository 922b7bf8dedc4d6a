package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.RetryResult;
import io.redrive.events.AbandonedEvent;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterSink;
import io.redrive.events.DocumentNotFoundException;
import io.redrive.events.Event;
import io.redrive.events.EventRetry;
import io.redrive.events.HandledKeys;
import io.redrive.events.IdempotencyKey;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The snippets of event-retry.md. */
final class EventRetryExamplesTest {

    private final ManualTime time = new ManualTime();
    private final List<AbandonedEvent<Parsed>> given = new ArrayList<>();
    private final List<String> chunked = new ArrayList<>();
    private int lookups;
    private int visibleAt = 3;

    private record Parsed(List<String> messageIds) {}

    // snippet: race-handler
    void onParsed(Parsed event) {
        for (String id : event.messageIds()) {
            if (!documents(id)) {
                throw new DocumentNotFoundException("message " + id + " is not visible yet");
            }
        }
        chunk(event);
    }
    // end

    private boolean documents(String id) {
        return ++lookups >= visibleAt && !id.isEmpty();
    }

    private void chunk(Parsed event) {
        chunked.addAll(event.messageIds());
    }

    @Test
    void a_document_that_becomes_visible_is_handled_once() {
        Map<String, String> environment = Map.of("RETRY_MAX_ATTEMPTS", "8");
        DeadLetterSink<Parsed> sink = given::add;
        HandledKeys keys = HandledKeys.inMemory();
        Parsed event = new Parsed(List.of("abc"));
        // snippet: event-retry
        EventRetry<Parsed> retry = EventRetry.forService("chunking", sink)
                .policyFromEnvironment(environment)
                .keys(keys)
                .time(time)
                .build();

        String key = IdempotencyKey.of("chunking", event.messageIds());
        RetryResult<Void> result = retry.handle(this::onParsed, event, key);
        // end
        assertThat(result.attempts()).isEqualTo(3);
        assertThat(retry.handle(this::onParsed, event, key).attempts()).isZero();
        assertThat(chunked).containsExactly("abc");
        assertThat(given).isEmpty();
    }

    @Test
    void an_event_that_is_given_up_is_found_by_its_key() {
        visibleAt = 99;
        Parsed event = new Parsed(List.of("abc", "def"));
        String key = IdempotencyKey.of("chunking", event.messageIds());
        // snippet: event-retry-letters
        InMemoryEventStore store = new InMemoryEventStore(); // or SqliteStore, PostgresStore
        DeadLetterSink<Parsed> letters = DeadLetterSink.into(
                store.deadLetters(),
                parsed -> Event.named("json.parsed")
                        .id(key)
                        .source("parser")
                        .json("{\"ids\": \"" + String.join(" ", parsed.messageIds()) + "\"}")
                        .build());
        // end
        EventRetry.forService("chunking", letters).time(time).build().handle(this::onParsed, event, key);
        assertThat(store.deadLetters().list(LetterFilter.ALL.withText("chunking-abc-def"), 0, 10))
                .singleElement()
                .returns("chunking-abc-def", DeadLetter::idempotencyKey);
    }
}
