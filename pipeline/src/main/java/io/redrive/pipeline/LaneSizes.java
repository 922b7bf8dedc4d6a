package io.redrive.pipeline;

import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many claims of a lane the pipeline holds, and how many claims one request asks for. The numbers follow the load.
 *
 * <p>The pipeline aims at the claims that handlers end within {@link #AHEAD}: with fewer, quick handlers wait for the store;
 * with more, events wait here which another node could handle. The numbers of the profile are the least, {@link
 * Profile#growth} times these numbers are the most, as long as their payloads fit into {@link #MOST_BYTES}. Every {@link
 * #WINDOW} the number of ended claims is counted, and the sizes move towards the aim by a factor of two at most, so that one
 * pause of the store changes little. Handlers that take longer than {@code AHEAD} never make the sizes grow.
 *
 * <p>A burst is over before a few windows are. So within a window the sizes may already grow, by a factor of two every {@link
 * #QUICK_WINDOW}, when two of these in a row had enough ended claims: a single batch that ends looks like a high rate, two in a
 * row do not.
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

    /** Growing, but not falling, is considered as often as this. */
    static final Duration QUICK_WINDOW = Duration.ofMillis(5);

    /** A window counts as busy for at least this share of its length: very short times of work tell little. */
    private static final int MOST_IDLE = 20;

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
    private volatile long bytesOfOne = 1;
    private Instant windowBegan = Instant.MIN;
    /** Ended claims before the present quick window, and in the quick window before this one. */
    private int endedBefore;

    private int endedInLast;
    private Instant quickBegan = Instant.MIN;
    /** Claims that have arrived and no handler has ended, as far as known. */
    private int unended;
    /** The last look at which handlers had work; null when they had none. */
    private @Nullable Instant busySince;
    /** How long handlers had work in this window, and in this quick window. */
    private long busyNanos;

    private long quickBusyNanos;
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

    /**
     * Returns the number of held claims up to which events may be claimed when they are published. Above, the room is for claims
     * from the store: enough for the next request to be worthwhile.
     */
    int forImmediateClaims() {
        return Math.min(Math.max(held - claimSize(), refillAt()), held - (held + 3) / 4);
    }

    /** Returns true while the lane holds more than the least, because its handlers are quick. */
    boolean hasGrown() {
        return held > leastHeld;
    }

    private int scaled(int size) {
        return (int) ((long) size * held / leastHeld);
    }

    /** A claim with a payload of this size has arrived. */
    void claimed(int bytes) {
        claimed++;
        unended++;
        claimedBytes += bytes;
    }

    /** A handler has ended a claim. */
    void ended() {
        ended++;
        unended = Math.max(0, unended - 1);
    }

    /** The lane holds no claim. */
    void empty() {
        unended = 0;
    }

    /** Moves the sizes when a window is over. */
    void look(Instant now) {
        countBusy(now);
        if (windowBegan.equals(Instant.MIN) || windowBegan.isAfter(now)) {
            // The first look, or a clock that was set back: the window so far tells nothing.
            beginWindow(now);
        } else if (!now.isBefore(windowBegan.plus(WINDOW))) {
            long nanos = Duration.between(windowBegan, now).toNanos();
            endedPerSecond = Math.round(ended * 1e9 / nanos);
            move(Math.max(held / 2, aim(ended, busyNanos, nanos)), 2);
            beginWindow(now);
        } else if (!now.isBefore(quickBegan.plus(QUICK_WINDOW))) {
            int inThis = ended - endedBefore;
            long nanos = Duration.between(quickBegan, now).toNanos();
            boolean starved = quickBusyNanos < nanos / 2;
            move(Math.max(held, aim(Math.min(inThis, endedInLast), quickBusyNanos, nanos)), starved ? 4 : 2);
            endedBefore = ended;
            endedInLast = inThis;
            quickBegan = now;
            quickBusyNanos = 0;
        }
    }

    /** Adds the time since the last look if handlers had work at that look. */
    private void countBusy(Instant now) {
        if (busySince != null && now.isAfter(busySince)) {
            long nanos = Duration.between(busySince, now).toNanos();
            busyNanos += nanos;
            quickBusyNanos += nanos;
        }
        busySince = unended > 0 ? now : null;
    }

    /** Returns the claims that handlers end within {@link #AHEAD}, if they always have work. */
    private static long aim(int ended, long busy, long nanos) {
        return Math.round((double) ended * AHEAD.toNanos() / Math.max(busy, nanos / MOST_IDLE));
    }

    private void move(long aim, int times) {
        bytesOfOne = claimed == 0 ? bytesOfOne : Math.max(1, claimedBytes / claimed);
        long most = Math.min(mostHeld, MOST_BYTES / bytesOfOne);
        held = (int) Math.max(leastHeld, Math.min(Math.min(aim, (long) times * held), most));
    }

    private void beginWindow(Instant now) {
        endedInLast = Math.max(0, ended - endedBefore);
        ended = 0;
        endedBefore = 0;
        claimed = 0;
        claimedBytes = 0;
        busyNanos = 0;
        quickBusyNanos = 0;
        windowBegan = now;
        quickBegan = now;
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

    /** Returns the number of claims to hold, its bounds, and the reason. */
    ChosenSize chosen() {
        return new ChosenSize(
                "lane " + lane.name().toLowerCase(Locale.ROOT), held, ChosenSize.CLAIMS, leastHeld, mostHeld, why());
    }

    private String why() {
        String rate = "handlers ended " + endedPerSecond + " events/s";
        String asks = "one request asks for up to " + claimSize();
        if (mostHeld == leastHeld) {
            return "fixed by the profile; " + rate + ", " + asks;
        }
        if (held == leastHeld) {
            return "the least of the profile; " + rate + ", " + asks;
        }
        if (held == mostHeld) {
            return "the most of the profile; " + rate + ", " + asks;
        }
        return (held >= MOST_BYTES / bytesOfOne
                        ? "payloads of " + bytesOfOne + " bytes fill " + MOST_BYTES / 1024 / 1024 + " MiB; "
                        : "as many as end within " + AHEAD.toMillis() + " ms; ")
                + rate + ", " + asks;
    }
}
