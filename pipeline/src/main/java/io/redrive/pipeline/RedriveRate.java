package io.redrive.pipeline;

import io.redrive.events.RedriveRequest;
import java.time.Duration;
import java.time.Instant;

/** Limits the rate of a redrive: letters are sent in portions, so that the rate is steady rather than a burst each second. */
final class RedriveRate {

    private static final int PORTIONS_PER_SECOND = 10;

    private final double perSecond;
    private Instant nextSend = Instant.MIN;

    /** @param perSecond letters per second; zero for no limit */
    RedriveRate(double perSecond) {
        this.perSecond = perSecond;
    }

    /** Returns the most letters of one portion. */
    int portion() {
        return perSecond > 0
                ? (int) Math.max(1, Math.min(RedriveRequest.MAX_LIMIT, perSecond / PORTIONS_PER_SECOND))
                : RedriveRequest.MAX_LIMIT;
    }

    boolean allows(Instant now) {
        return perSecond <= 0 || Chore.isDue(nextSend, now, timeFor(portion()));
    }

    /** Returns when the next portion may be sent. */
    Instant nextSend() {
        return nextSend;
    }

    void sent(int letters, Instant now) {
        nextSend = now.plus(timeFor(letters));
    }

    private Duration timeFor(int letters) {
        return perSecond > 0 ? Duration.ofNanos((long) (letters * 1e9 / perSecond)) : Duration.ZERO;
    }
}
