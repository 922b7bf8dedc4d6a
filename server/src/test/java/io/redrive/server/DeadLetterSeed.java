package io.redrive.server;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.jdbc.SqliteStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A store file with dead letters, made before a server opens it. */
public final class DeadLetterSeed implements AutoCloseable {

    private final ManualTime time = new ManualTime();
    private final EventStore store;

    public DeadLetterSeed(Path file) {
        store = SqliteStore.open(file);
    }

    public DeadLetterSeed die(String id, String payload, String error) {
        Event event = Event.named("order.paid")
                .id(id)
                .source("shop")
                .time(time)
                .payload(payload.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
        store.publish(List.of(event), time.now());
        Claim claim = store.claim(new ClaimRequest("node-1", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), time.now()))
                .get(0);
        AttemptRecord attempt = new AttemptRecord(
                1, time.now(), "node-1", Duration.ofMillis(12), "IOException", error, "dead", "not retryable");
        store.settle(List.of(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt, "f1a2b3", "shop")), time.now());
        time.advance(Duration.ofSeconds(1));
        return this;
    }

    @Override
    public void close() {
        store.close();
    }
}
