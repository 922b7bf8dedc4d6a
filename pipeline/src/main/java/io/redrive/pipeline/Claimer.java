package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Lane;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asks the source for work: no more than the pipeline has room for, and not again until there is reason to believe that
 * there is some. A lane that gave less than asked for is dry until something is published, a known due time comes, or the
 * poll interval is over. One that gave all is asked for as many claims as there is room for, in one transaction: under load
 * the transactions grow by themselves. While events come that were in a process when it died, a lane is asked only for what
 * can begin at once: should the process die again, few events are suspected.
 */
final class Claimer {

    /** One claim in so many starts with the least urgent priority of its lane, so that none starves. */
    private static final int LOWEST_FIRST_EVERY = 5;
    /** Due times remembered at most, the next ones; the poll finds the others. */
    static final int MAX_KNOWN_DUE = 10_000;

    private final String node;
    private final Profile profile;
    private final InFlight inFlight;
    private final ClaimFilter filter;
    private final Map<Lane, Integer> claims = new EnumMap<>(Lane.class);
    private final Map<Lane, Integer> asked = new EnumMap<>(Lane.class);
    private final Set<Lane> dry = EnumSet.noneOf(Lane.class);
    private final Set<Lane> plentiful = EnumSet.noneOf(Lane.class);
    /** Lanes with events that were in a process when it died: no more are claimed there than handlers can begin at once. */
    private final Set<Lane> careful = EnumSet.noneOf(Lane.class);

    private final NavigableSet<Instant> knownDue = new TreeSet<>();
    private Instant nextPoll = Instant.MIN;
    private Instant looked = Instant.MIN;
    private long looks;

    /** Claims what {@code filter} accepts, and nothing at all when it accepts no name. */
    Claimer(String node, Profile profile, InFlight inFlight, ClaimFilter filter) {
        this.node = node;
        this.profile = profile;
        this.inFlight = inFlight;
        this.filter = filter;
    }

    /** Notices that the time has come to look again. */
    void look(Instant now) {
        looked = now;
        if (!now.isBefore(nextPoll) || now.isBefore(nextPoll.minus(profile.poll()))) {
            // Also when the clock was set back: a poll time far in the future must not silence the pipeline.
            wake();
            nextPoll = now.plus(profile.poll());
        }
        while (!knownDue.isEmpty() && !knownDue.first().isAfter(now)) {
            knownDue.pollFirst();
            wake();
        }
    }

    /** What there is room for in all lanes, besides what was asked for and is still to come. */
    List<ClaimRequest> requests(Instant now) {
        List<ClaimRequest> requests = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            for (int demand = demand(lane); demand > 0; demand = demand(lane)) {
                // Counted for each lane: one counter for all could fall into step with them and never hit the same
                // lane.
                boolean lowestFirst = claims.merge(lane, 1, Integer::sum) % LOWEST_FIRST_EVERY == 0;
                requests.add(new ClaimRequest(node, lane, demand, lowestFirst, profile.lease(), now, filter));
                asked.merge(lane, demand, Integer::sum);
                if (!plentiful.contains(lane)) {
                    break;
                }
            }
        }
        return requests;
    }

    private int demand(Lane lane) {
        int held = inFlight.count(lane) + asked.getOrDefault(lane, 0);
        boolean few = careful.contains(lane);
        int room = (few ? profile.atOnce(lane) : profile.capacity(lane)) - held;
        boolean worthwhile = few || room >= profile.claimSize() || held <= profile.refillAt(lane);
        boolean canHandle = !filter.accepted().isEmpty();
        return canHandle && worthwhile && !dry.contains(lane) ? Math.min(room, profile.claimSize()) : 0;
    }

    /** How often there was reason to look again, up to now. */
    long looks() {
        return looks;
    }

    /** These requests came to nothing. */
    void unanswered(List<ClaimRequest> requests) {
        requests.forEach(request -> asked.merge(request.lane(), -request.demand(), Integer::sum));
    }

    /** Takes note of what these requests gave; when there was reason to look again meanwhile, they say nothing of now. */
    void claimed(List<ClaimRequest> requests, List<Claim> claimed, boolean sayHowItIs) {
        unanswered(requests);
        Map<Lane, Integer> missing = new EnumMap<>(Lane.class);
        requests.forEach(request -> missing.merge(request.lane(), request.demand(), Integer::sum));
        long bytes = 0;
        for (Claim claim : claimed) {
            inFlight.add(claim, looked);
            missing.merge(InFlight.laneOf(claim), -1, Integer::sum);
            bytes += claim.event().payloadSize();
        }
        for (Lane lane : missing.keySet()) {
            if (claimed.stream().anyMatch(claim -> claim.standsAlone() && InFlight.laneOf(claim) == lane)) {
                careful.add(lane);
            } else if (sayHowItIs) {
                careful.remove(lane);
            }
        }
        // What ended early for its size is not dry.
        boolean large = bytes >= ClaimRequest.MAX_BYTES;
        missing.forEach((lane, events) -> note(lane, events == 0 || large, sayHowItIs));
    }

    private void note(Lane lane, boolean gaveAll, boolean saysHowItIs) {
        if (gaveAll) {
            plentiful.add(lane);
        } else {
            plentiful.remove(lane);
            if (saysHowItIs) {
                dry.add(lane);
            }
        }
    }

    /** Something may have become ready. */
    void wake() {
        looks++;
        dry.clear();
    }

    /** Events were taken over from processes that may have died of them. */
    void recovered() {
        careful.addAll(EnumSet.allOf(Lane.class));
        wake();
    }

    /** Something becomes due then. In whole milliseconds: what becomes due at about the same time is one reason to look. */
    void expect(Instant due) {
        Instant whole = due.truncatedTo(ChronoUnit.MILLIS);
        knownDue.add(whole.equals(due) ? due : whole.plusMillis(1));
        if (knownDue.size() > MAX_KNOWN_DUE) {
            knownDue.pollLast();
        }
    }

    /** False when nothing more comes until something is settled, published or due: the lane is dry or full. */
    boolean expectsMore(Lane lane) {
        return asked.getOrDefault(lane, 0) > 0 || demand(lane) > 0;
    }

    /** When to look again if nothing happens before. */
    Instant nextLook() {
        Instant due = knownDue.isEmpty() ? nextPoll : knownDue.first();
        return due.isBefore(nextPoll) ? due : nextPoll;
    }
}
