package io.redrive.examples.simulation;

import io.redrive.core.Failure;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Workers send samples to an API with a limit of calls per second, which answers 429 beyond the limit. The API is a token
 * bucket, evenly refilled, with at most {@code burst} tokens. All workers start at the same moment, take samples one by one,
 * and keep a sample while waiting after a 429. The API gives no Retry-After.
 */
public final class RateLimit {

    private static final Failure TOO_MANY_REQUESTS = Failure.status(429);
    private static final double NANOS_PER_SECOND = 1e9;

    private final Setting setting;
    private final RetryPolicy policy;
    private final ManualTime time = new ManualTime();
    private final SplittableRandom random;
    private double tokens;
    private long refilledNanos;
    private int started;
    private long limited;
    private long retries;
    private int lost;

    private RateLimit(Setting setting, RetryPolicy policy, long seed) {
        this.setting = setting;
        this.policy = policy;
        this.random = new SplittableRandom(seed);
        this.tokens = setting.burst();
    }

    /**
     * The API and the work.
     *
     * @param perSecond calls the API allows
     * @param burst calls the API allows at once
     * @param workers how many samples are under way at once
     * @param samples number of samples
     * @param latency mean duration of an accepted call, N(mean, mean / 5); a 429 takes a tenth of this duration
     */
    public record Setting(double perSecond, double burst, int workers, int samples, Duration latency) {}

    /**
     * The cost, as the mean of several rounds.
     *
     * @param limited 429s
     * @param retries calls after the first of each sample
     * @param lost given-up samples
     * @param seconds until the last sample was accepted or given up
     */
    public record Cost(double limited, double retries, double lost, double seconds) {}

    /** The mean of {@code rounds} rounds, with the seeds 1, 2, 3, … */
    public static Cost mean(Setting setting, RetryPolicy policy, int rounds) {
        double limited = 0;
        double retries = 0;
        double lost = 0;
        double seconds = 0;
        for (int seed = 1; seed <= rounds; seed++) {
            RateLimit round = new RateLimit(setting, policy, seed);
            round.run();
            limited += round.limited;
            retries += round.retries;
            lost += round.lost;
            seconds += round.time.nanos() / NANOS_PER_SECOND;
        }
        return new Cost(limited / rounds, retries / rounds, lost / rounds, seconds / rounds);
    }

    private void run() {
        for (int worker = 0; worker < setting.workers(); worker++) {
            nextSample();
        }
        while (time.advanceToNext()) {
            // Runs until no worker finds another sample.
        }
    }

    private void nextSample() {
        if (started < setting.samples()) {
            started++;
            call(new Caller(policy, Optional.empty(), time, random));
        }
    }

    private void call(Caller sample) {
        if (sample.attempt() > 1) {
            retries++;
        }
        if (takeToken()) {
            time.schedule(latency(1.0), this::nextSample);
        } else {
            limited++;
            time.schedule(
                    latency(0.1),
                    () -> sample.afterFailure(TOO_MANY_REQUESTS)
                            .ifPresentOrElse(wait -> time.schedule(wait, () -> call(sample)), this::giveUp));
        }
    }

    private void giveUp() {
        lost++;
        nextSample();
    }

    private boolean takeToken() {
        long now = time.nanos();
        tokens = Math.min(setting.burst(), tokens + (now - refilledNanos) / NANOS_PER_SECOND * setting.perSecond());
        refilledNanos = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    private Duration latency(double share) {
        double mean = setting.latency().toNanos() * share;
        return Duration.ofNanos(Math.round(Math.abs(random.nextGaussian(mean, mean / 5))));
    }
}
