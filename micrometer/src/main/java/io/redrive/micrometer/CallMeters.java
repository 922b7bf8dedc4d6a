package io.redrive.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.redrive.core.Reason;
import io.redrive.core.RetryListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of the calls of one name, looked up only once, because a listener runs on the caller's thread. */
final class CallMeters {

    private static final double[] ATTEMPT_BUCKETS = {1, 2, 3, 4, 5, 6, 8, 10, 20};

    private final MeterRegistry registry;
    private final String tag;
    private final Counter attemptsSucceeded;
    private final Counter attemptsFailed;
    private final Timer delay;
    private final Outcome success;
    private final Outcome successAfterRetry;
    private final Map<Reason, Outcome> failures = new ConcurrentHashMap<>();

    CallMeters(MeterRegistry registry, String tag) {
        this.registry = registry;
        this.tag = tag;
        attemptsSucceeded = attempts("success");
        attemptsFailed = attempts("failure");
        delay = Timer.builder("retry.delay")
                .description("Waits before retries")
                .tag("name", tag)
                .register(registry);
        success = outcome("success", "none");
        successAfterRetry = outcome("success_after_retry", "none");
    }

    String tag() {
        return tag;
    }

    void attempted(RetryListener.Attempted event) {
        (event.failure().isEmpty() ? attemptsSucceeded : attemptsFailed).increment();
    }

    void retrying(RetryListener.Retrying event) {
        delay.record(event.delay());
    }

    void succeeded(RetryListener.Succeeded event) {
        (event.attempts() > 1 ? successAfterRetry : success).ended(event.attempts(), event.elapsed());
    }

    void gaveUp(RetryListener.GaveUp event) {
        failures.computeIfAbsent(event.reason(), reason -> outcome("failure", reason.code()))
                .ended(event.attempts(), event.elapsed());
    }

    private Counter attempts(String outcome) {
        return Counter.builder("retry.attempts")
                .description("Attempts, first attempts included")
                .tag("name", tag)
                .tag("outcome", outcome)
                .register(registry);
    }

    private Outcome outcome(String outcome, String reason) {
        Counter calls = Counter.builder("retry.calls")
                .description("Calls that ended")
                .tag("name", tag)
                .tag("outcome", outcome)
                .tag("reason", reason)
                .register(registry);
        DistributionSummary attemptCount = DistributionSummary.builder("retry.attempt.count")
                .description("Attempts of an ended call")
                .tag("name", tag)
                .tag("outcome", outcome)
                .serviceLevelObjectives(ATTEMPT_BUCKETS)
                .register(registry);
        Timer latency = Timer.builder("retry.latency")
                .description("Time from the start of the first attempt to the end of the call")
                .tag("name", tag)
                .tag("outcome", outcome)
                .register(registry);
        return new Outcome(calls, attemptCount, latency);
    }

    private record Outcome(Counter calls, DistributionSummary attemptCount, Timer latency) {

        void ended(int attempts, Duration elapsed) {
            calls.increment();
            // A call that an open breaker refused has no attempt, and no duration to record.
            if (attempts > 0) {
                attemptCount.record(attempts);
                latency.record(elapsed);
            }
        }
    }
}
