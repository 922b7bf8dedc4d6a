package io.redrive.cli.demo;

import io.redrive.core.Backoff;
import io.redrive.core.HttpStatusException;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.pipeline.EventBatch;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handlers that fail in typical ways: a registry that loses connections, payments that are down for a while, an API with a rate
 * limit, documents that take too long, and two bugs that every retry meets again. With {@code fixed} there are neither bugs nor
 * outages; only invalid events still fail.
 */
final class DemoServices {

    /** When payments go down. */
    static final Duration OUTAGE_AFTER = Duration.ofSeconds(4);

    /** How long payments stay down. */
    static final Duration OUTAGE = Duration.ofSeconds(3);

    private static final Duration TIME_LIMIT = Duration.ofSeconds(1);
    private static final int BREAKS_EVERY = 4;
    private static final long CALLS_A_SECOND = 2;
    private static final Duration WORK = Duration.ofMillis(5);

    private final Time time;
    private final boolean fixed;
    private final Instant start;
    private final AtomicLong registryCalls = new AtomicLong();
    private final AtomicLong nextAllowedCall = new AtomicLong();

    DemoServices(Time time, boolean fixed) {
        this.time = time;
        this.fixed = fixed;
        start = time.now();
    }

    /** Registers the handlers. Waits are short to show retries, the lease is short to show a takeover after a crash. */
    void attach(Pipeline.Builder pipeline) {
        pipeline.profile(Profile.STANDARD.withTimeLimit(TIME_LIMIT).withLease(Duration.ofSeconds(5)))
                .policies(policies())
                .validate("order.created", DemoServices::requireTotal)
                .on("ml.run.*", event -> register())
                .onBatch("ml.trial.*", this::record)
                .on("ui.command.*", this::save)
                .on("system.*", event -> work())
                .on("order.created", event -> work())
                .on("order.*", this::pay)
                .on("rate.limited.api.*", event -> call());
    }

    private static EventPolicies policies() {
        Backoff quick = Backoff.exponential(Duration.ofMillis(300), Duration.ofSeconds(2));
        RetryPolicy three = Presets.EVENTS.toBuilder().backoff(quick).build();
        return EventPolicies.defaults()
                .with("*", three)
                .with("system.*", three)
                .with("ml.trial.*", three)
                .with("ml.run.*", three.toBuilder().maxAttempts(5).build())
                .with(
                        "rate.limited.api.*",
                        three.toBuilder()
                                .maxAttempts(5)
                                .backoff(Backoff.linear(
                                        Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(5)))
                                .build());
    }

    private static void requireTotal(Event event) {
        if (!event.text().contains("\"total\"")) {
            throw new IllegalArgumentException("an order needs a total");
        }
    }

    private void register() throws IOException, InterruptedException {
        work();
        if (!fixed && registryCalls.incrementAndGet() % BREAKS_EVERY == 0) {
            throw new IOException("model registry: connection reset by peer");
        }
    }

    /** Has a bug: a trial that cannot be parsed fails the whole batch. The pipeline then finds the trial. */
    private void record(EventBatch batch) throws InterruptedException {
        work();
        for (Event event : batch.events()) {
            if (!fixed && event.text().contains("NaN")) {
                throw new NumberFormatException("For input string: \"NaN\" in loss of " + event.name());
            }
        }
    }

    private void save(Event event) throws InterruptedException {
        work();
        if (!fixed && event.text().contains("90000")) {
            time.sleep(TIME_LIMIT.multipliedBy(5));
        }
    }

    private void pay(Event event) throws IOException, InterruptedException {
        work();
        Duration running = Duration.between(start, time.now());
        boolean down = running.compareTo(OUTAGE_AFTER) >= 0 && running.compareTo(OUTAGE_AFTER.plus(OUTAGE)) < 0;
        if (!fixed && down) {
            throw new ConnectException("payments: connection refused");
        }
        if (!fixed && event.text().contains("XBT")) {
            throw new IllegalStateException("currency 'XBT' is unknown");
        }
    }

    /** Limits calls per second; a refused call carries the time of its next attempt. */
    private void call() throws InterruptedException {
        work();
        long now = time.nanos();
        long gap = Duration.ofSeconds(1).toNanos() / CALLS_A_SECOND;
        long next = nextAllowedCall.get();
        boolean tooEarly = next != 0 && now - next < 0;
        if (!fixed && (tooEarly || !nextAllowedCall.compareAndSet(next, now + gap))) {
            throw new HttpStatusException(429, "too many requests", Duration.ofMillis(700));
        }
    }

    private void work() throws InterruptedException {
        time.sleep(WORK);
    }
}
