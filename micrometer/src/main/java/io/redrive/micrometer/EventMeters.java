package io.redrive.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.redrive.core.Reason;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The meters of events under retry, the same for a pipeline and for handlers of other buses. All are registered at once,
 * at zero: a counter that first appears with a 1 hides that first increase from Prometheus.
 */
final class EventMeters {

    /** Attempts from here on share a tag. */
    static final int LAST_ATTEMPT = 10;

    private static final double[] ATTEMPT_BUCKETS = {1, 2, 3, 4, 5, 6, 8, 10, 20};
    private static final Duration[] LATENCY_BUCKETS = {
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(30)
    };

    private final Counter[] successes = new Counter[LAST_ATTEMPT];
    private final Map<Reason, Counter> dead = new EnumMap<>(Reason.class);
    private final Counter retries;
    private final Counter duplicates;
    private final Timer latency;
    private final DistributionSummary attemptCount;

    EventMeters(MeterRegistry registry, String service) {
        for (int attempt = 1; attempt <= LAST_ATTEMPT; attempt++) {
            successes[attempt - 1] = Counter.builder("event.retry.success")
                    .description("Events handled, by the attempt that succeeded")
                    .tag("service", service)
                    .tag("attempt", attempt < LAST_ATTEMPT ? Integer.toString(attempt) : LAST_ATTEMPT + "+")
                    .register(registry);
        }
        for (Reason reason : Reason.values()) {
            dead.put(
                    reason,
                    Counter.builder("event.retry.dlq")
                            .description("Events that became dead letters")
                            .tag("service", service)
                            .tag("reason", reason.code())
                            .register(registry));
        }
        duplicates = Counter.builder("event.dedup")
                .description("Duplicates dropped")
                .tag("service", service)
                .register(registry);
        retries = Counter.builder("event.retry")
                .description("Failed attempts that are followed by another")
                .tag("service", service)
                .register(registry);
        latency = Timer.builder("event.retry.latency")
                .description("Time until an event that was retried was handled, waits included")
                .tag("service", service)
                .serviceLevelObjectives(LATENCY_BUCKETS)
                .register(registry);
        attemptCount = DistributionSummary.builder("event.retry.attempt.count")
                .description("Attempts that events took to end, well or not")
                .tag("service", service)
                .serviceLevelObjectives(ATTEMPT_BUCKETS)
                .register(registry);
    }

    void duplicate() {
        duplicates.increment();
    }

    void retried() {
        retries.increment();
    }

    void succeeded(int attempts, Duration took) {
        successes[Math.max(1, Math.min(attempts, LAST_ATTEMPT)) - 1].increment();
        attemptCount.record(attempts);
        if (attempts > 1) {
            latency.record(took);
        }
    }

    void died(Reason reason, int attempts) {
        dead.get(reason).increment();
        attemptCount.record(attempts);
    }
}
