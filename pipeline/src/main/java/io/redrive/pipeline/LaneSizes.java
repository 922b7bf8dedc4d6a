package io.redrive.pipeline;

import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * How many claims of a lane the pipeline holds, and how many claims one request asks for. The numbers follow the load.
 *
 * <p>The pipeline aims at the claims that handlers end within {@link #AHEAD}: with fewer, quick handlers wait for the store;
 * with more, events wait here which another node could handle. The numbers of the profile are the least, {@link
 * Profile#growth} times these numbers are the most, as long as their payloads fit into {@link #MOST_BYTES}. Every {@link #WINDOW} the number of ended claims is counted, and the sizes
 * move towards the aim by a factor of two at most, so that one pause of the store changes little. Handlers that take longer
 * than {@code AHEAD} never make the sizes grow.
 *
 * <p>Growing needs a lane that gives all claims asked for, because only such a lane ends so many. An event that arrives alone
 * is claimed at once, whatever the sizes are.
 *
 * <p>Only the coordinator changes the sizes; any thread may call {@link #describe}.
 */
final class LaneSizes {

    /** The pipeline holds the claims that handlers end within this time. */
    static final Duration AHEAD = Duration.ofMillis(100);

    static final Duration WINDOW = Duration.ofMillis(50);

    /** Sizes do not grow beyond claims with payloads of so many bytes. */
    static final long MOST_BYTES = 64L * 1024 * 1024;

    /** How long the pipeline may hold more than twice the claims it should, after handlers have become slow. */
    static final Duration MOST_EXCESS = Duration.ofSeconds(1);

    private final Lane lane;
    private final int leastHeld;
    private final int mostHeld;
    private final int claimSize;
    private final int refillAt;
    private volatile int held;
    private volatile long endedPerSecond;
    private int ended;
    private int claimed;
    private long claimedBytes;
    private long bytesOfOne = 1;
    private Instant windowBegan = Instant.MIN;
    private Instant excessBegan = Instant.MAX;

    LaneSizes(Lane lane, Profile profile) {
        this.lane = lane;
        leastHeld = profile.capacity(lane);
        mostHeld = profile.mostHeld(lane);
        claimSize = profile.claimSize();
        refillAt = profile.refillAt(lane);
        held = leastHeld;
    }

    /** Returns the sizes of all lanes. */
    static Map<Lane, LaneSizes> of(Profile profile) {
        Map<Lane, LaneSizes> all = new EnumMap<>(Lane.class);
        for (Lane lane : Lane.values()) {
            all.put(lane, new LaneSizes(lane, profile));
        }
        return all;
    }

    /** Returns the most claims to hold. */
    int held() {
        return held;
    }

    /** Returns the most claims of one request. */
    int claimSize() {
        return scaled(claimSize);
    }

    /** Returns the number of held claims at which the next request is worthwhile. */
    int refillAt() {
        return scaled(refillAt);
    }

    private int scaled(int size) {
        return (int) ((long) size * held / leastHeld);
    }

    /** A claim with a payload of this size has arrived. */
    void claimed(int bytes) {
        claimed++;
        claimedBytes += bytes;
    }

    /** A handler has ended a claim. */
    void ended() {
        ended++;
    }

    /** Moves the sizes when a window is over. */
    void look(Instant now) {
        Instant end = windowBegan.isAfter(now) ? now : later(windowBegan, WINDOW);
        if (now.isBefore(end)) {
            return;
        }
        if (!windowBegan.equals(Instant.MIN) && !windowBegan.isAfter(now)) {
            long nanos = Math.max(1, Duration.between(windowBegan, now).toNanos());
            endedPerSecond = Math.round(ended * 1e9 / nanos);
            long aim = Math.round((double) ended * AHEAD.toNanos() / nanos);
            long within = Math.max(held / 2, Math.min(aim, 2L * held));
            bytesOfOne = claimed == 0 ? bytesOfOne : Math.max(1, claimedBytes / claimed);
            long most = Math.min(mostHeld, MOST_BYTES / bytesOfOne);
            held = (int) Math.max(leastHeld, Math.min(within, most));
        }
        // After a clock that was set back, this window tells nothing: the next one begins now.
        ended = 0;
        claimed = 0;
        claimedBytes = 0;
        windowBegan = now;
    }

    /**
     * Returns true, once, when the pipeline has held more than twice as many claims as it should for longer than {@link
     * #MOST_EXCESS}: handlers have become slow, and other nodes may be idle.
     *
     * @param now the time of the step
     * @param holds the number of claims of the lane
     */
    boolean exceeds(Instant now, int holds) {
        if (holds <= 2 * held || now.isBefore(excessBegan)) {
            excessBegan = holds <= 2 * held ? Instant.MAX : now;
            return false;
        }
        boolean tooLong = !now.isBefore(excessBegan.plus(MOST_EXCESS));
        if (tooLong) {
            excessBegan = Instant.MAX;
        }
        return tooLong;
    }

    /** Returns the sizes and the reason for them in words. */
    String describe() {
        String bounds = mostHeld == leastHeld ? "fixed" : leastHeld + " to " + mostHeld;
        return "lane " + lane.name().toLowerCase(Locale.ROOT) + ": holds up to " + held + " claims (" + bounds
                + "), asks for up to " + claimSize() + " at once; handlers ended " + endedPerSecond + " events/s";
    }

    private static Instant later(Instant time, Duration by) {
        return time.equals(Instant.MIN) ? time : time.plus(by);
    }
}
