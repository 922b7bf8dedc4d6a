package io.redrive.console;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Nine days of a shop, lived through by real pipelines under a clock of their own: a mail gateway was down for two days, a tax service
 * is slow, and the release of an hour ago sends orders without a currency.
 */
final class BadWeek {

    private static final int DAYS = 9;

    private final EventStore store;
    private final ManualTime time;
    private int order = 48_000;
    private int handled;

    private BadWeek(EventStore store, ManualTime time) {
        this.store = store;
        this.time = time;
    }

    /** Fills a store that no other pipeline works on. */
    static void fill(EventStore store, Instant now) {
        BadWeek week = new BadWeek(store, new ManualTime(now.minus(Duration.ofDays(DAYS))));
        try (Pipeline before = week.pipeline("2.3.1")) {
            for (int day = 0; day < DAYS; day++) {
                week.live(before, day, now.minus(Duration.ofMinutes(62)));
            }
        }
        try (Pipeline after = week.pipeline("2.4.0")) {
            for (int minute = 61; minute > 0; minute--) {
                week.publish(after, week.lastHour(minute));
                week.time.advance(Duration.between(week.time.now(), now.minus(Duration.ofMinutes(minute - 1))));
                after.drain();
            }
        }
    }

    /** Lives through a day in six steps, at most until the release. */
    private void live(Pipeline pipeline, int day, Instant release) {
        for (int step = 0; step < 6 && time.now().isBefore(release); step++) {
            publish(pipeline, usual(day, step));
            Duration left = Duration.between(time.now(), release);
            Duration four = Duration.ofHours(4);
            time.advance(left.compareTo(four) < 0 ? left.plusSeconds(1) : four);
            pipeline.drain();
        }
    }

    private List<Event> usual(int day, int step) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            events.add(order("\"currency\": \"EUR\", "));
        }
        boolean gateway = day == 5 || day == 6;
        for (int i = 0; i < 8; i++) {
            String text = i < 1 && gateway ? "gateway" : "fine";
            events.add(event("mail.requested", "crm")
                    .text("To: customer" + i + "@example.org\n" + text)
                    .build());
        }
        for (int i = 0; i < 8; i++) {
            boolean slow = day >= 3 && i < 1 + day / 6 && step % 2 == 0;
            String json =
                    "{\"invoice\": \"2026-" + (1_900 + order + i) + "\", \"total\": 249.00, \"slow\": " + slow + "}";
            events.add(event("invoice.sent", "billing").json(json).build());
        }
        return events;
    }

    private List<Event> lastHour(int minute) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 12 + minute % 5; i++) {
            boolean missing = minute < 48 && i < 2;
            events.add(order(missing ? "" : "\"currency\": \"CHF\", "));
        }
        for (int i = 0; i < 6 + minute % 3; i++) {
            events.add(event("mail.requested", "crm")
                    .text("To: customer" + i + "@example.org\nfine")
                    .build());
        }
        boolean slow = minute % 9 == 0;
        for (int i = 0; i < 4; i++) {
            events.add(event("invoice.sent", "billing")
                    .json("{\"invoice\": \"2026-" + (order + i) + "\", \"slow\": " + (slow && i == 0) + "}")
                    .build());
        }
        return events;
    }

    private Event order(String currency) {
        order++;
        String json = "{\"order\": " + order + ", \"customer\": {\"id\": \"c-" + (700 + order % 90)
                + "\", \"country\": \"CH\"}, \"amount\": " + (19 + order % 60) + ".90, " + currency
                + "\"reference\": 12345678901234567890, \"items\": [{\"sku\": \"A-" + (order % 12)
                + "\", \"quantity\": 2}, {\"sku\": \"B-" + (order % 7) + "\", \"quantity\": 1}], \"gift\": false}";
        return event("order.paid", "checkout")
                .correlationId("order-" + order)
                .json(json)
                .build();
    }

    private Event.Builder event(String name, String source) {
        return Event.named(name)
                .source(source)
                .time(time)
                .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    }

    /** Publishes events and waits out their retries. */
    private void publish(Pipeline pipeline, List<Event> events) {
        store.publish(events, time.now());
        for (int attempt = 0; attempt < 4; attempt++) {
            pipeline.drain();
            time.advance(Duration.ofSeconds(3));
        }
        pipeline.drain();
    }

    private Pipeline pipeline(String version) {
        return Pipeline.on(store)
                .service("shop")
                .node("shop-" + version.charAt(2))
                .version(version)
                .time(time)
                .executor(Runnable::run)
                .on("order.*", event -> {
                    work(34);
                    if (!event.text().contains("currency")) {
                        throw new IllegalStateException("order has no currency");
                    }
                })
                .on("invoice.*", event -> {
                    work(120);
                    if (event.text().contains("\"slow\": true")) {
                        throw new HttpTimeoutException("request to https://tax.example/v2/rates timed out after 10 s");
                    }
                })
                .on("mail.*", event -> {
                    work(18);
                    if (event.text().contains("gateway")) {
                        throw new IOException("mail gateway answered 503");
                    }
                })
                .build();
    }

    /** Spends time as a handler does, now and then more. */
    private void work(int millis) {
        handled++;
        time.advance(Duration.ofMillis(handled % 40 == 0 ? 7L * millis : millis + handled % 13));
    }
}
