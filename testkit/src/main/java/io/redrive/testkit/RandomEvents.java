package io.redrive.testkit;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** The events published by a {@link RandomStoreUse}. */
final class RandomEvents {

    static final List<String> NAMES = List.of("order.paid", "order.sent", "mail.sent");

    /**
     * Round spans make many times equal; two spans differ from a round one by a microsecond, the precision of stores.
     */
    static final List<Duration> SPANS = List.of(
            Duration.ZERO,
            Duration.ofNanos(1_000),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            StoreDriver.LEASE.minusNanos(1_000),
            StoreDriver.LEASE);

    private final SplittableRandom random;
    private final Time time;
    private final List<EventKey> published = new ArrayList<>();

    RandomEvents(SplittableRandom random, Time time) {
        this.random = random;
        this.time = time;
    }

    List<EventKey> published() {
        return published;
    }

    /** A new event, or sometimes an event with the key of an earlier event for which {@code mayComeAgain} is true. */
    Event next(Predicate<EventKey> mayComeAgain) {
        List<EventKey> known = published.stream().filter(mayComeAgain).toList();
        boolean again = !known.isEmpty() && random.nextInt(10) == 0;
        EventKey key = again
                ? any(known)
                : new EventKey("e" + published.size(), random.nextInt(5) == 0 ? "c" + random.nextInt(2) : "");
        if (!again) {
            published.add(key);
        }
        Event.Builder event = Event.named(any(NAMES))
                .id(key.id())
                .source("shop")
                .time(time)
                .priority(any(List.of(Priority.values())))
                .text("text of " + key.id());
        if (random.nextInt(10) < 4) {
            event.orderingKey("key-" + random.nextInt(4));
        }
        if (!key.correlationId().isEmpty()) {
            event.correlationId(key.correlationId());
        }
        if (random.nextInt(10) < 2) {
            event.delay(any(SPANS));
        }
        if (random.nextInt(10) < 2) {
            event.deadline(time.now().plus(Duration.ofMinutes(1 + random.nextInt(3))));
        }
        return event.build();
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
