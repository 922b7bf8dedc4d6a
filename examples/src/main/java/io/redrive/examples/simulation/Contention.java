package io.redrive.examples.simulation;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * N clients write the same row at the same moment under optimistic concurrency: a client reads the version and writes with
 * this version; when another client was faster, it waits as the policy says and starts again with a read. Each message takes
 * a network delay of N(10 ms, 2 ms). This is the model of Marc Brooker's "Exponential Backoff And Jitter" (AWS Architecture
 * Blog, 2015); calls are writes that reached the server, time ends with the last answer.
 */
public final class Contention {

    private static final double NETWORK_MEAN_NANOS = 10e6;
    private static final double NETWORK_DEVIATION_NANOS = 2e6;
    private static final Failure CONFLICT = Failure.kind("conflict");
    private static final Duration BASE = Duration.ofMillis(5);
    private static final Duration CAP = Duration.ofSeconds(2);

    private final RetryPolicy policy;
    private final SplittableRandom random;
    private final ManualTime time = new ManualTime();
    private long version;
    private long calls;

    private Contention(RetryPolicy policy, long seed) {
        this.policy = policy;
        this.random = new SplittableRandom(seed);
    }

    /**
     * The cost until every client has written once.
     *
     * @param calls writes that reached the server, conflicts included
     * @param millis virtual time until the last answer
     */
    public record Cost(double calls, double millis) {}

    /** The compared policies: base 5 ms, cap 2 s, unlimited attempts. */
    public static Map<String, RetryPolicy> contestants() {
        Map<String, RetryPolicy> contestants = new LinkedHashMap<>();
        contestants.put("no backoff", policy(Backoff.none(), Jitter.none()));
        Backoff exponential = Backoff.exponential(BASE, CAP, 2.0);
        contestants.put("exponential, no jitter", policy(exponential, Jitter.none()));
        contestants.put("equal jitter", policy(exponential, Jitter.equal()));
        contestants.put("full jitter", policy(exponential, Jitter.full()));
        contestants.put("decorrelated jitter", policy(exponential, Jitter.decorrelated()));
        return contestants;
    }

    private static RetryPolicy policy(Backoff backoff, Jitter jitter) {
        return RetryPolicy.builder()
                .maxAttempts(Integer.MAX_VALUE)
                .backoff(backoff)
                .jitter(jitter)
                .build();
    }

    /** The mean of {@code rounds} rounds, with the seeds 1, 2, 3, … */
    public static Cost mean(RetryPolicy policy, int clients, int rounds) {
        double calls = 0;
        double millis = 0;
        for (int seed = 1; seed <= rounds; seed++) {
            Cost cost = new Contention(policy, seed).run(clients);
            calls += cost.calls();
            millis += cost.millis();
        }
        return new Cost(calls / rounds, millis / rounds);
    }

    private Cost run(int clients) {
        for (int i = 0; i < clients; i++) {
            read(new Caller(policy, Optional.empty(), time, random), Duration.ZERO);
        }
        while (time.advanceToNext()) {
            // Each message schedules the next message; none is left when every client has written.
        }
        return new Cost(calls, time.nanos() / 1e6);
    }

    private void read(Caller client, Duration afterWaiting) {
        time.schedule(afterWaiting.plus(network()), () -> {
            long seen = version;
            time.schedule(network().plus(network()), () -> write(client, seen));
        });
    }

    private void write(Caller client, long seen) {
        calls++;
        boolean written = seen == version;
        if (written) {
            version++;
        }
        time.schedule(network(), () -> {
            if (!written) {
                read(client, client.afterFailure(CONFLICT).orElseThrow());
            }
        });
    }

    private Duration network() {
        return Duration.ofNanos(Math.round(Math.abs(random.nextGaussian(NETWORK_MEAN_NANOS, NETWORK_DEVIATION_NANOS))));
    }
}
