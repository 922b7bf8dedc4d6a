package io.redrive.examples.figures;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.examples.simulation.Contention;
import io.redrive.examples.simulation.RateLimit;
import io.redrive.examples.simulation.Storm;
import io.redrive.examples.simulation.StormClients;
import io.redrive.examples.simulation.Timeline;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The simulations the guide speaks of, each run once: tables, figures and tests look at the same numbers. */
public final class Findings {

    private static final int ROUNDS = 100;
    private static final int RATE_LIMIT_ROUNDS = 5;
    private static final long SEED = 1;
    private static final List<Integer> CLIENTS = List.of(5, 10, 20, 40, 60, 80, 100);
    private static final Map<Integer, Map<String, Timeline>> STORMS = new ConcurrentHashMap<>();
    private static final Map<RateLimitCase, RateLimit.Cost> RATE_LIMITS = new ConcurrentHashMap<>();

    private Findings() {}

    private static final class Contended {
        static final Map<String, Map<Integer, Contention.Cost>> COSTS = contended();
    }

    /** By contestant and number of clients: the mean of 100 rounds. */
    public static Map<String, Map<Integer, Contention.Cost>> contention() {
        return Contended.COSTS;
    }

    /** By contestant, against a server whose queue holds {@code queue} requests. */
    public static Map<String, Timeline> storm(int queue) {
        return STORMS.computeIfAbsent(queue, requests -> {
            Storm.Setting setting = Storm.Setting.usual().withQueue(requests);
            Map<String, Timeline> timelines = new LinkedHashMap<>();
            StormClients.contestants()
                    .forEach((name, clients) -> timelines.put(name, Storm.run(setting, clients, SEED)));
            return timelines;
        });
    }

    /**
     * Samples against an API with a limit of 50 calls per second.
     *
     * @param samples how many, by 200 workers
     * @param burst how many calls the API lets through at once
     * @param attempts allowed per sample
     * @param contestant the name of one of {@link #waits()}
     */
    public record RateLimitCase(int samples, int burst, int attempts, String contestant) {}

    /** The waits compared: fixed and exponential from 1 s up to 60 s. */
    public static Map<String, RetryPolicy> waits() {
        Duration second = Duration.ofSeconds(1);
        RetryPolicy fixed = RetryPolicy.builder()
                .backoff(Backoff.fixed(second))
                .jitter(Jitter.none())
                .build();
        RetryPolicy exponential = fixed.toBuilder()
                .backoff(Backoff.exponential(second, Duration.ofSeconds(60), 2.0))
                .build();
        Map<String, RetryPolicy> waits = new LinkedHashMap<>();
        waits.put("fixed", fixed);
        waits.put("fixed ±25 %", fixed.toBuilder().jitter(0.25).build());
        waits.put("exponential", exponential);
        waits.put("exponential ±25 %", exponential.toBuilder().jitter(0.25).build());
        waits.put(
                "exponential, full",
                exponential.toBuilder().jitter(Jitter.full()).build());
        return waits;
    }

    /** The mean of 5 rounds. */
    public static RateLimit.Cost rateLimit(RateLimitCase of) {
        return RATE_LIMITS.computeIfAbsent(of, key -> {
            RetryPolicy policy = waits().get(key.contestant()).toBuilder()
                    .maxAttempts(key.attempts())
                    .build();
            RateLimit.Setting setting =
                    new RateLimit.Setting(50, key.burst(), 200, key.samples(), Duration.ofMillis(100));
            return RateLimit.mean(setting, policy, RATE_LIMIT_ROUNDS);
        });
    }

    private static Map<String, Map<Integer, Contention.Cost>> contended() {
        Map<String, Map<Integer, Contention.Cost>> costs = new LinkedHashMap<>();
        Contention.contestants().forEach((name, policy) -> {
            Map<Integer, Contention.Cost> byClients = new TreeMap<>();
            CLIENTS.forEach(clients -> byClients.put(clients, Contention.mean(policy, clients, ROUNDS)));
            costs.put(name, byClients);
        });
        return costs;
    }
}
