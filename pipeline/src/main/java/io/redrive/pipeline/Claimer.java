package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Lane;
import io.redrive.events.Source;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Asks the source for work: no more than the pipeline has room for, and not again until there is reason to believe that
 * there is some. A lane that gave less than asked for is dry until something is published, a known due time comes, or the
 * poll interval is over.
 */
final class Claimer {

    /** One claim in so many starts with the least urgent priority of its lane, so that none starves. */
    private static final int LOWEST_FIRST_EVERY = 5;

    private final Source source;
    private final String node;
    private final Profile profile;
    private final InFlight inFlight;
    private final Map<Lane, Integer> claims = new EnumMap<>(Lane.class);
    private final Set<Lane> dry = EnumSet.noneOf(Lane.class);
    private final PriorityQueue<Instant> knownDue = new PriorityQueue<>();
    private Instant nextPoll = Instant.MIN;

    Claimer(Source source, String node, Profile profile, InFlight inFlight) {
        this.source = source;
        this.node = node;
        this.profile = profile;
        this.inFlight = inFlight;
    }

    /** Notices that the time has come to look again. */
    void look(Instant now) {
        if (!now.isBefore(nextPoll) || now.isBefore(nextPoll.minus(profile.poll()))) {
            // Also when the clock was set back: a poll time far in the future must not silence the pipeline.
            wake();
            nextPoll = now.plus(profile.poll());
        }
        while (!knownDue.isEmpty() && !knownDue.peek().isAfter(now)) {
            knownDue.poll();
            wake();
        }
    }

    /** What there is room for, of one lane: a failure in the next lane must not lose what this one gave. */
    List<Claim> claim(Lane lane, Instant now) {
        if (!expectsMore(lane)) {
            return List.of();
        }
        int demand = Math.min(profile.capacity(lane) - inFlight.count(lane), profile.claimSize());
        // Counted for each lane: one counter for all could fall into step with them and never hit the same lane.
        boolean lowestFirst = claims.merge(lane, 1, Integer::sum) % LOWEST_FIRST_EVERY == 0;
        List<Claim> claimed = source.claim(new ClaimRequest(node, lane, demand, lowestFirst, profile.lease(), now));
        if (claimed.size() < demand) {
            dry.add(lane);
        }
        claimed.forEach(inFlight::add);
        return claimed;
    }

    /** Something may have become ready. */
    void wake() {
        dry.clear();
    }

    /** Something becomes due then; what the next poll finds anyway need not be remembered. */
    void expect(Instant due) {
        if (due.isBefore(nextPoll)) {
            knownDue.add(due);
        }
    }

    /** False when nothing more comes until something is settled, published or due: the lane is dry or full. */
    boolean expectsMore(Lane lane) {
        int room = profile.capacity(lane) - inFlight.count(lane);
        boolean worthwhile = room >= profile.claimSize() || inFlight.count(lane) <= profile.refillAt(lane);
        return room > 0 && worthwhile && !dry.contains(lane);
    }

    /** When to look again if nothing happens before. */
    Instant nextLook() {
        Instant due = knownDue.peek();
        return due != null && due.isBefore(nextPoll) ? due : nextPoll;
    }
}
