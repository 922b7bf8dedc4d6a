package io.redrive.cli.demo;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Makes the events of a typical application in a fixed mix. A few events make handlers fail. */
final class DemoTraffic {

    /** The name of events that no handler of the demo takes: a route of the server delivers them. */
    static final String SHIPMENT = "shipment.sent";

    /** The names in the order of publication, which repeats. */
    private static final List<String> MIX = List.of(
            "ml.trial.completed",
            "order.created",
            "ml.run.started",
            "system.heartbeat",
            "order.paid",
            "ml.trial.completed",
            "ui.command.save",
            "rate.limited.api.sync",
            "ml.trial.completed",
            "order.paid",
            "ml.run.completed",
            "system.disk.full",
            "order.created",
            "ml.trial.completed",
            "ui.command.save",
            "order.paid");

    private static final int PUBLISHED_TWICE_EVERY = 25;
    private static final int SHIPPED_EVERY = 8;

    private final Time time;
    private long count;
    private long shipped;

    DemoTraffic(Time time) {
        this.time = time;
    }

    /** Returns the names in the mix. */
    static Set<String> names() {
        return new TreeSet<>(MIX);
    }

    /** Returns the next {@code number} events. Every 25th event is in the list twice, as a duplicate. */
    List<Event> next(int number) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Event event = event(count++);
            events.add(event);
            if (count % PUBLISHED_TWICE_EVERY == 0) {
                events.add(event);
            }
        }
        return events;
    }

    /** Returns the shipments that belong to the events so far, and to no earlier call: one for every eighth event. */
    List<Event> shipments() {
        List<Event> events = new ArrayList<>();
        for (; shipped < count / SHIPPED_EVERY; shipped++) {
            events.add(Event.named(SHIPMENT)
                    .source("order")
                    .correlationId(String.format(Locale.ROOT, "demo-%05d", shipped * SHIPPED_EVERY))
                    .json(json("{'shipment':%d,'parcels':%d}", shipped, 1 + shipped % 3))
                    .time(time)
                    .build());
        }
        return events;
    }

    private Event event(long n) {
        String name = MIX.get((int) (n % MIX.size()));
        return Event.named(name)
                .source(name.substring(0, name.indexOf('.')))
                .priority(name.equals("system.disk.full") ? Priority.CRITICAL : Priority.NORMAL)
                .correlationId(String.format(Locale.ROOT, "demo-%05d", n))
                .json(payload(name, n))
                .time(time)
                .build();
    }

    private static String payload(String name, long n) {
        switch (name) {
            case "ml.trial.completed":
                return json("{'trial':%d,'loss':%s}", n, n % 28 == 13 ? "'NaN'" : "0.07");
            case "order.created":
                return n % 48 == 17 ? json("{'order':%d}", n) : json("{'order':%d,'total':12}", n);
            case "order.paid":
                return json("{'order':%d,'total':12,'currency':'%s'}", n, n % 33 == 9 ? "XBT" : "EUR");
            case "ui.command.save":
                return json("{'document':%d,'pages':%d}", n, n % 48 == 14 ? 90_000 : 3);
            default:
                return json("{'number':%d}", n);
        }
    }

    private static String json(String format, Object... values) {
        return String.format(Locale.ROOT, format, values).replace('\'', '"');
    }
}
