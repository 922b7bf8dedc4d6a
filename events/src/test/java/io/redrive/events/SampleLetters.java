package io.redrive.events;

import io.redrive.core.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Random events and letters with odd contents; the same seed gives the same letters. */
final class SampleLetters {

    private static final List<String> TEXTS = List.of(
            "a",
            "order-17",
            "a:b",
            "naïve",
            "日本",
            "🚀 launch",
            "50% off + tax",
            "\"quoted\\\" 'twice'",
            "a/b?c=d#e",
            "{}");
    private static final List<String> CONTENT_TYPES = List.of(
            "application/json", "application/problem+json; charset=utf-8", "text/plain", "application/octet-stream");
    private static final List<String> PAYLOADS = List.of(
            "",
            "{\"a\":1}",
            "{ \"a\" : [1, 2.50, 1e400, -0.0, 12345678901234567890123] }",
            "{\"a\":1} trailing",
            "{\"a\":1,\"a\":2}",
            "\"text\"",
            "null",
            " null",
            "42",
            "not json",
            "line one\nline two\r\n\u0000\u0001",
            "\uFEFF{\"bom\":true}",
            "🚀 \u2028 \u2029",
            "[".repeat(2_000) + "]".repeat(2_000));

    private final RandomGenerator random;

    SampleLetters(RandomGenerator random) {
        this.random = random;
    }

    Event event() {
        Instant created = instant();
        Event.Builder event = Event.named(pick(List.of("order.paid", "ml.run.started", "one")))
                .id(pick(TEXTS) + random.nextInt(1_000))
                .source(pick(TEXTS))
                .priority(pick(List.of(Priority.values())))
                .payload(payload(), pick(CONTENT_TYPES))
                .created(created);
        if (random.nextBoolean()) {
            event.correlationId(pick(TEXTS));
        }
        if (random.nextBoolean()) {
            event.orderingKey(pick(TEXTS));
        }
        if (random.nextBoolean()) {
            event.delay(Duration.ofMillis(random.nextInt(100_000)));
        }
        if (random.nextBoolean()) {
            event.deadline(created.plusSeconds(1_000 + random.nextInt(1_000)));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            event.header(pick(List.of("trace", "rdh41", "id", "dataschema", "X-Odd Name", "näme")) + i, headerValue());
            event.header(pick(List.of("traceparent", "subject", "data", "source", "dataschema")), headerValue());
        }
        return event.build();
    }

    DeadLetter letter() {
        List<AttemptRecord> history = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            history.add(new AttemptRecord(
                    random.nextInt(10) + 1,
                    instant(),
                    pick(TEXTS),
                    Duration.ofNanos(random.nextLong(1L << 50)),
                    pick(TEXTS),
                    random.nextBoolean() ? headerValue() : null,
                    "retry",
                    pick(TEXTS)));
        }
        return new DeadLetter(
                random.nextLong(1L << 60),
                event(),
                random.nextBoolean() ? Optional.empty() : Optional.of(payload()),
                pick(List.of(Reason.values())),
                pick(TEXTS),
                headerValue(),
                Fingerprint.of(pick(TEXTS), pick(TEXTS)),
                pick(TEXTS),
                new Attempts(random.nextInt(10), random.nextInt(10), random.nextInt(10)),
                random.nextInt(5),
                random.nextInt(5),
                instant(),
                history);
    }

    private byte[] payload() {
        if (random.nextInt(4) == 0) {
            byte[] noise = new byte[random.nextInt(20)];
            random.nextBytes(noise);
            return noise;
        }
        return pick(PAYLOADS).getBytes(StandardCharsets.UTF_8);
    }

    private String headerValue() {
        return pick(List.of("", "plain", "a+b %20 c", "two\nlines\ttab", "🚀", "https://example.org/s?x=1", "日本"));
    }

    private Instant instant() {
        return Instant.parse("2026-01-01T00:00:00Z").plusNanos(1_000 * random.nextLong(1L << 40));
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
