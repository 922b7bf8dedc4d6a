package io.redrive.operations.difference;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.HandledEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Letters and handled events for tests, read by one reader. */
final class Documents {

    static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    private final EventDocumentReader reader = new EventDocumentReader();
    final List<EventDocument> letters = new ArrayList<>();
    final List<EventDocument> handled = new ArrayList<>();

    /** Adds letters with these payloads. */
    Documents letters(int count, IntFunction<String> json) {
        return letters(count, json, event -> event);
    }

    Documents letters(int count, IntFunction<String> json, UnaryOperator<Event.Builder> change) {
        IntStream.range(0, count).forEach(i -> letter(event(json.apply(i), change), moment(i), "node-1"));
        return this;
    }

    /** Returns a moment within 100 seconds; the same moments for letters and for handled events. */
    private static Instant moment(int i) {
        return START.plusSeconds(i % 100);
    }

    /** Adds handled events with these payloads. */
    Documents handled(int count, IntFunction<String> json) {
        return handled(count, json, event -> event);
    }

    Documents handled(int count, IntFunction<String> json, UnaryOperator<Event.Builder> change) {
        IntStream.range(0, count).forEach(i -> handled(event(json.apply(i), change), moment(i), "node-1"));
        return this;
    }

    void letter(Event event, Instant at, String node) {
        letters.add(reader.letter(
                event,
                new DeadLetter(
                        1,
                        event,
                        Optional.empty(),
                        Reason.NOT_RETRYABLE,
                        "IOException",
                        "no",
                        "f",
                        "shop",
                        new Attempts(1, 0, 0),
                        0,
                        0,
                        at,
                        List.of(new AttemptRecord(
                                1, at, node, Duration.ofMillis(3), "IOException", "no", "dead", "")))));
    }

    void handled(Event event, Instant at, String node) {
        handled.add(reader.handled(HandledEvent.of(event, at, node, Optional.empty())));
    }

    static Event event(String payload, UnaryOperator<Event.Builder> change) {
        return change.apply(Event.named("order.paid")
                        .source("shop")
                        .payload(payload.getBytes(StandardCharsets.UTF_8), "application/json"))
                .build();
    }

    List<Difference> differences() {
        return Comparison.of(letters, handled, List.of());
    }

    List<String> sentences() {
        return differences().stream().map(Difference::sentence).toList();
    }
}
