package io.redrive.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.redrive.core.Reason;
import java.time.Duration;

/**
 * The meters of events under retry, the same for a pipeline and for handlers of other buses. All meters are registered at
 * zero: Prometheus would miss the first increase of a counter that begins at one.
 */
final class EventMeters {

    /** Attempts from this number on share a tag. */
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
    private final EnumMeters<Reason, Counter> dead;
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
        dead = new EnumMeters<>(
                Reason.class,
                reason -> Counter.builder("event.retry.dlq")
                        .description("Events that became dead letters")
                        .tag("service", service)
                        .tag("reason", reason.code())
                        .register(registry));
        duplicates = Counter.builder("event.dedup")
                .description("Duplicates dropped")
                .tag("service", service)
                .register(registry);
        retries = Counter.builder("event.retry")
                .description("Failed attempts that are retried")
                .tag("service", service)
                .register(registry);
        latency = Timer.builder("event.retry.latency")
                .description("Time from due to handled of retried events, waits included")
                .tag("service", service)
                .serviceLevelObjectives(LATENCY_BUCKETS)
                .register(registry);
        attemptCount = DistributionSummary.builder("event.retry.attempt.count")
                .description("Attempts of an ended event, handled or dead")
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
        dead.of(reason).increment();
        attemptCount.record(attempts);
    }
}
