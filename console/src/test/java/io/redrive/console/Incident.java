package io.redrive.console;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Fingerprint;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.events.activity.NameActivity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Dead letters and activity of a bad afternoon in a shop. */
final class Incident {

    private final EventStore store;
    private final Instant now;

    private Incident(EventStore store, Instant now) {
        this.store = store;
        this.now = now;
    }

    /** Fills a store with four causes and an hour of activity. */
    static void fill(EventStore store, Instant now) {
        Incident incident = new Incident(store, now);
        incident.orders(120);
        incident.invoices(38);
        incident.mails(9);
        incident.models(2);
        incident.activity();
    }

    private void orders(int count) {
        List<DeadLetter> letters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String json = "{\"order\": " + (48_000 + i) + ", \"customer\": {\"id\": \"c-" + (700 + i % 90)
                    + "\", \"country\": \"" + (i % 3 == 0 ? "DE" : "CH") + "\"}, \"amount\": " + (19 + i % 60)
                    + ".90, \"reference\": 12345678901234567890, \"items\": [{\"sku\": \"A-" + (i % 12)
                    + "\", \"quantity\": 2}, {\"sku\": \"B-" + (i % 7) + "\", \"quantity\": 1}], \"gift\": false}";
            Event event = Event.named("order.paid")
                    .source("checkout")
                    .correlationId("order-" + (48_000 + i))
                    .orderingKey("c-" + (700 + i % 90))
                    .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                    .created(now.minus(Duration.ofMinutes(50)).plusSeconds(20L * i))
                    .json(json)
                    .build();
            letters.add(letter(
                    event,
                    Reason.MAX_ATTEMPTS_EXCEEDED,
                    "IllegalStateException",
                    "java.lang.IllegalStateException: order has no currency",
                    now.minus(Duration.ofMinutes(48)).plusSeconds(20L * i)));
        }
        store.deadLetters().importLetters(letters, "migration", now);
    }

    private void invoices(int count) {
        List<DeadLetter> letters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Event event = Event.named("invoice.sent")
                    .source("billing")
                    .correlationId("order-" + (47_100 + i))
                    .created(now.minus(Duration.ofHours(30)).plusSeconds(60L * i))
                    .json("{\"invoice\": \"2026-" + (1_900 + i) + "\", \"total\": 249.00}")
                    .build();
            letters.add(letter(
                    event,
                    Reason.TIMEOUT,
                    "HttpTimeoutException",
                    "request to https://tax.example/v2/rates timed out after 10 s\n"
                            + "java.net.http.HttpTimeoutException: request timed out\n"
                            + "\tat shop.tax.Rates.fetch(Rates.java:71)\n\tat shop.billing.Invoices.send(Invoices.java:40)",
                    now.minus(Duration.ofHours(29)).plusSeconds(60L * i)));
        }
        store.deadLetters().importLetters(letters, "migration", now);
    }

    private void mails(int count) {
        List<DeadLetter> letters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Event event = Event.named("mail.requested")
                    .source("crm")
                    .created(now.minus(Duration.ofDays(3)))
                    .text("To: customer" + i + "@example.org\nYour parcel is on its way.")
                    .build();
            letters.add(letter(
                    event,
                    Reason.MAX_ATTEMPTS_EXCEEDED,
                    "http_503",
                    "mail gateway answered 503",
                    now.minus(Duration.ofDays(3))));
        }
        store.deadLetters().importLetters(letters, "migration", now);
    }

    private void models(int count) {
        List<DeadLetter> letters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[300];
            for (int b = 0; b < bytes.length; b++) {
                bytes[b] = (byte) (b * 7 + i);
            }
            Event event = Event.named("ml.run.finished")
                    .source("trainer")
                    .created(now.minus(Duration.ofHours(5)))
                    .payload(bytes, "application/x-protobuf")
                    .build();
            letters.add(letter(
                    event,
                    Reason.HANDLER_CRASHED,
                    "OutOfMemoryError",
                    "Java heap space",
                    now.minus(Duration.ofHours(5))));
        }
        store.deadLetters().importLetters(letters, "migration", now);
    }

    /** Returns a letter with one record for each attempt. */
    static DeadLetter letter(Event event, Reason reason, String errorType, String error, Instant deadAt) {
        List<AttemptRecord> history = new ArrayList<>();
        for (int attempt = 1; attempt <= 3; attempt++) {
            history.add(new AttemptRecord(
                    attempt,
                    deadAt.minusSeconds(20L * (3 - attempt)),
                    "shop-" + attempt % 2,
                    Duration.ofMillis(40L * attempt),
                    errorType,
                    error,
                    attempt < 3 ? "retry" : "dead",
                    attempt < 3 ? "retry in " + attempt * 2 + " s" : reason.code()));
        }
        return new DeadLetter(
                0,
                event,
                Optional.empty(),
                reason,
                errorType,
                error,
                Fingerprint.of(errorType, error),
                "shop",
                new Attempts(3, 0, 0),
                0,
                0,
                deadAt,
                history);
    }

    private void activity() {
        Instant minute = ActivityPeriod.MINUTE.startOf(now);
        for (int back = 60; back >= 1; back--) {
            long wave = Math.round(40 * Math.sin(back / 7.0));
            List<NameActivity> names = List.of(
                    of("order.paid", 180 + wave, back < 48 ? 24 : 2, back < 48 ? 3 : 0, 35),
                    of("invoice.sent", 90 + wave / 2, 4, 0, 120),
                    of("mail.requested", 300 + wave * 2, 1, 0, 18),
                    of("ml.run.finished", 4, 0, 0, 4_200));
            store.activity().write(new ActivityReport("shop-1", minute.minus(Duration.ofMinutes(back)), names, names));
        }
    }

    private static NameActivity of(String name, long done, long retried, long dead, long millis) {
        DurationHistogram times = DurationHistogram.of(
                Duration.ofMillis(millis), Duration.ofMillis(millis * 2), Duration.ofMillis(millis * 6));
        ActivityCounts counts = new ActivityCounts(done + dead, 1, done, retried, dead, done / 5 + 1, 0);
        return new NameActivity(name, new ActivityTotals(counts, times, times));
    }

    /** Returns a letter whose every text is hostile. */
    static DeadLetter hostile(String text, Instant now) {
        Event event = Event.named("order.hostile")
                .id("id-" + text)
                .source("source-" + text)
                .correlationId("correlation-" + text)
                .orderingKey("key-" + text)
                .header("header-" + text, "value-" + text)
                .created(now)
                .json("{\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\": \""
                        + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}")
                .build();
        AttemptRecord attempt = new AttemptRecord(
                1, now, "node-" + text, Duration.ofMillis(5), "type-" + text, "message-" + text, "dead", "why-" + text);
        return new DeadLetter(
                0,
                event,
                Optional.of(("{\"before\": \"" + "x" + "\"}").getBytes(StandardCharsets.UTF_8)),
                Reason.NOT_RETRYABLE,
                "type-" + text,
                "error-" + text,
                "print-" + text,
                "service-" + text,
                new Attempts(1, 0, 0),
                0,
                0,
                now,
                List.of(attempt));
    }
}
