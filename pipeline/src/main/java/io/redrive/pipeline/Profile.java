package io.redrive.pipeline;

import io.redrive.events.Attempts;
import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The sizes and times of a pipeline. Start from a named profile: {@link #STANDARD}, {@link #HIGH_THROUGHPUT}, {@link
 * #LOW_LATENCY}.
 *
 * @param poll the time between two looks for ready events that no publisher announced
 * @param claimSize the most events of one claim request
 * @param processors the number of single events of a lane that are handled at once; with the demands, the most claimed
 *     events in the pipeline: processors × maxDemand
 * @param minDemand more events are claimed once at most processors × minDemand events are left
 * @param maxDemand see {@code processors}
 * @param critical the batcher of events of priority high and critical
 * @param domain the batcher of all other events
 * @param lease how long a claim lasts without an extension
 * @param timeLimit how long a handler may take for one event, or for one batch
 * @param poisonAfter the number of crashes of its process after which an event becomes a dead letter, reason {@code
 *     poison}. From the fourth crash on a crash counts only when its process held no other event. So with 4 or more no
 *     event becomes a dead letter because of its neighbours; with a smaller number an event may
 * @param growth how far the sizes may grow while quick handlers wait for the store: the pipeline claims up to growth ×
 *     claimSize events at once and holds up to growth × processors × maxDemand. With 1 the sizes never change
 */
public record Profile(
        Duration poll,
        int claimSize,
        int processors,
        int minDemand,
        int maxDemand,
        BatcherSettings critical,
        BatcherSettings domain,
        Duration lease,
        Duration timeLimit,
        int poisonAfter,
        int growth) {

    /**
     * Poll 1 s, claim 50, 10 processors with a demand of 5 to 20; lease 25 s; time limit 20 s; poison after 4 crashes;
     * growth 10.
     */
    public static final Profile STANDARD = new Profile(
            Duration.ofSeconds(1),
            50,
            10,
            5,
            20,
            new BatcherSettings(2, 10, Duration.ofMillis(500)),
            new BatcherSettings(5, 25, Duration.ofSeconds(2)),
            Duration.ofSeconds(25),
            Duration.ofSeconds(20),
            Attempts.CRASHES_OF_A_SUSPECT + 1,
            10);

    /** Poll 500 ms, claim 100, 20 processors with a demand of 10 to 50; growth 4. */
    public static final Profile HIGH_THROUGHPUT = new Profile(
            Duration.ofMillis(500),
            100,
            20,
            10,
            50,
            STANDARD.critical,
            STANDARD.domain,
            STANDARD.lease,
            STANDARD.timeLimit,
            STANDARD.poisonAfter,
            4);

    /** As standard, with 5 critical handlers for batches of 5 that wait 100 ms. */
    public static final Profile LOW_LATENCY = STANDARD.withCritical(new BatcherSettings(5, 5, Duration.ofMillis(100)));

    /** The most claims of a lane that sizes grow to, whatever the profile says. */
    static final int MOST_HELD = 10_000;

    /** Refuses values out of range. */
    public Profile {
        requirePositive("poll", poll);
        Range.require("claimSize", claimSize, 1, ClaimRequest.MAX_DEMAND);
        Range.require("processors", processors, 1, 1_000);
        Range.require("minDemand", minDemand, 0, 1_000);
        Range.require("maxDemand", maxDemand, Math.max(1, minDemand), 1_000);
        requirePositive("lease", lease);
        requirePositive("timeLimit", timeLimit);
        Range.require("poisonAfter", poisonAfter, 1, 100);
        Range.require("growth", growth, 1, 100);
    }

    /** A profile whose sizes never grow. */
    public Profile(
            Duration poll,
            int claimSize,
            int processors,
            int minDemand,
            int maxDemand,
            BatcherSettings critical,
            BatcherSettings domain,
            Duration lease,
            Duration timeLimit,
            int poisonAfter) {
        this(poll, claimSize, processors, minDemand, maxDemand, critical, domain, lease, timeLimit, poisonAfter, 1);
    }

    /**
     * Returns the profile called {@code standard}, {@code high-throughput} or {@code low-latency}.
     *
     * @throws IllegalArgumentException for another name
     */
    public static Profile named(String name) {
        return switch (name) {
            case "standard" -> STANDARD;
            case "high-throughput" -> HIGH_THROUGHPUT;
            case "low-latency" -> LOW_LATENCY;
            default ->
                throw new IllegalArgumentException(
                        "profile must be one of standard, high-throughput, low-latency; got '" + name + "'");
        };
    }

    /**
     * Refuses a store whose claims cannot have this lease.
     *
     * @throws IllegalArgumentException if the store allows only a shorter lease
     */
    void requireLeaseFor(EventStore store) {
        if (lease.compareTo(store.longestLease()) > 0) {
            throw new IllegalArgumentException("the lease of the profile must be at most " + store.longestLease()
                    + " on " + store.describe() + ", got " + lease + "; set profile(….withLease(…))");
        }
    }

    /** With another batcher for events of priority high and critical. */
    public Profile withCritical(BatcherSettings settings) {
        return changed(copy -> copy.critical = settings);
    }

    /** With another number of events per claim request; a larger number needs fewer transactions. */
    public Profile withClaimSize(int events) {
        return changed(copy -> copy.claimSize = events);
    }

    /** With another time between two polls. */
    public Profile withPoll(Duration time) {
        return changed(copy -> copy.poll = time);
    }

    /** With another number of processors. */
    public Profile withProcessors(int count) {
        return changed(copy -> copy.processors = count);
    }

    /**
     * With other demands per processor: claim more events at {@code least} claimed events left, hold {@code most} at
     * most.
     */
    public Profile withDemand(int least, int most) {
        return changed(copy -> {
            copy.minDemand = least;
            copy.maxDemand = most;
        });
    }

    /** With another batcher for events of priority low and normal. */
    public Profile withDomain(BatcherSettings settings) {
        return changed(copy -> copy.domain = settings);
    }

    /** With another time limit for handlers. */
    public Profile withTimeLimit(Duration limit) {
        return changed(copy -> copy.timeLimit = limit);
    }

    /** With another lease. */
    public Profile withLease(Duration duration) {
        return changed(copy -> copy.lease = duration);
    }

    /** With another number of crashes that makes an event poison. */
    public Profile withPoisonAfter(int crashes) {
        return changed(copy -> copy.poisonAfter = crashes);
    }

    /** With another bound for sizes that follow the load; 1 keeps the sizes as they are. */
    public Profile withGrowth(int times) {
        return changed(copy -> copy.growth = times);
    }

    /** A profile under change: the components once more, each of which a method above replaces. */
    private static final class Copy {
        private Duration poll;
        private int claimSize;
        private int processors;
        private int minDemand;
        private int maxDemand;
        private BatcherSettings critical;
        private BatcherSettings domain;
        private Duration lease;
        private Duration timeLimit;
        private int poisonAfter;
        private int growth;

        Copy(Profile from) {
            poll = from.poll;
            claimSize = from.claimSize;
            processors = from.processors;
            minDemand = from.minDemand;
            maxDemand = from.maxDemand;
            critical = from.critical;
            domain = from.domain;
            lease = from.lease;
            timeLimit = from.timeLimit;
            poisonAfter = from.poisonAfter;
            growth = from.growth;
        }
    }

    private Profile changed(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return new Profile(
                copy.poll,
                copy.claimSize,
                copy.processors,
                copy.minDemand,
                copy.maxDemand,
                copy.critical,
                copy.domain,
                copy.lease,
                copy.timeLimit,
                copy.poisonAfter,
                copy.growth);
    }

    /** Returns the most claimed events of a lane that the pipeline holds under the highest load. */
    int mostHeld(Lane lane) {
        int times = lane == Lane.SUSPECT ? 1 : growth;
        return (int) Math.max(capacity(lane), Math.min(MOST_HELD, (long) times * capacity(lane)));
    }

    /** Returns the most claimed events of a lane that the pipeline holds before sizes grow. */
    int capacity(Lane lane) {
        return switch (lane) {
            case CRITICAL -> 2 * critical.handlers() * critical.size();
            case DOMAIN -> processors * maxDemand;
            case SUSPECT -> 1;
        };
    }

    /** Returns the number of claimed events of a lane at which more are claimed. */
    int refillAt(Lane lane) {
        return switch (lane) {
            case CRITICAL -> critical.handlers() * critical.size();
            case DOMAIN -> processors * minDemand;
            case SUSPECT -> 0;
        };
    }

    /**
     * Returns how many single events of a lane are handled at once. Each lane has its own share, so that no lane
     * starves another.
     */
    int eventsAtOnce(Lane lane) {
        return switch (lane) {
            case CRITICAL, DOMAIN -> processors;
            case SUSPECT -> 1;
        };
    }

    /** Returns how many events of a lane can begin at once, one by one or in partial batches. */
    int atOnce(Lane lane) {
        return Math.max(eventsAtOnce(lane), batcher(lane).handlers());
    }

    BatcherSettings batcher(Lane lane) {
        return switch (lane) {
            case CRITICAL -> critical;
            case DOMAIN -> domain;
            case SUSPECT -> new BatcherSettings(1, 1, Duration.ZERO);
        };
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be longer than zero, got " + value);
        }
    }
}
