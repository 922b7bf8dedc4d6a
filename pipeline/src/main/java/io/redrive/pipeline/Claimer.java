package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asks the store for claims: for no more than the pipeline has room for, and only when there may be ready events. A
 * lane that gave fewer claims than asked for is dry until an event is published, a known due time comes, or the poll
 * interval is over. A lane that gave all claims is asked for as many as there is room for, in one transaction: under
 * load the transactions grow by themselves. A lane with events that were in a process when the process died is asked
 * only for as many claims as can begin at once: should this process die too, few events are suspected. While a suspect is
 * held, the other lanes are not asked, and the suspect begins when all other claims have ended.
 */
final class Claimer {

    /** Every fifth request of a lane starts with the least urgent priority, so that no priority starves. */
    private static final int LOWEST_FIRST_EVERY = 5;
    /** Publishers of this process may have events claimed at once, before events that have waited in the store for less than this. */
    static final Duration OVERTAKEN = Duration.ofMillis(50);
    /** The most due times to remember, the nearest ones; a poll finds later events. */
    static final int MAX_KNOWN_DUE = 10_000;

    private final String node;
    private final Profile profile;
    private final Map<Lane, LaneSizes> sizes;
    private final InFlight inFlight;
    private final ImmediateClaims immediate;
    private ClaimFilter filter;
    /** The number of requests so far, by lane. */
    private final Map<Lane, Integer> requested = new EnumMap<>(Lane.class);
    /** The claims that were asked for and have not arrived, by lane. */
    private final Map<Lane, Integer> asked = new EnumMap<>(Lane.class);

    private final Set<Lane> dry = EnumSet.noneOf(Lane.class);
    /** Lanes that gave all claims of the last requests. */
    private final Set<Lane> plentiful = EnumSet.noneOf(Lane.class);
    /** Lanes in whose last answer were fewer claims than asked for, or events of the last {@link #OVERTAKEN}: no older events wait. */
    private final Set<Lane> caughtUp = EnumSet.noneOf(Lane.class);
    /** Lanes with events that were in a process when it died: claims are limited to what handlers can begin at once. */
    private final Set<Lane> careful = EnumSet.noneOf(Lane.class);

    private final NavigableSet<Instant> knownDue = new TreeSet<>();
    private Instant nextPoll = Instant.MIN;
    /** The time of the last {@link #look}. */
    private Instant looked = Instant.MIN;

    private long wakes;

    /** Asks only for events that {@code filter} accepts, and never when the filter accepts no name. */
    Claimer(
            String node,
            Profile profile,
            Map<Lane, LaneSizes> sizes,
            InFlight inFlight,
            ImmediateClaims immediate,
            ClaimFilter filter) {
        this.node = node;
        this.profile = profile;
        this.sizes = sizes;
        this.inFlight = inFlight;
        this.immediate = immediate;
        this.filter = filter;
    }

    /** Asks for these names from now on. A change marks all lanes as worth a look. */
    void use(ClaimFilter accepted) {
        if (!accepted.equals(filter)) {
            filter = accepted;
            wakeAll();
        }
    }

    /** Marks all lanes as worth a look when the poll interval is over or a known due time has come. */
    void look(Instant now) {
        looked = now;
        sizes.forEach((lane, size) -> {
            if (inFlight.count(lane) == 0) {
                size.empty();
            }
            size.look(now);
        });
        if (!now.isBefore(nextPoll) || now.isBefore(nextPoll.minus(profile.poll()))) {
            // Also after the clock was set back: a poll time far in the future must not silence the pipeline.
            wakeAll();
            nextPoll = now.plus(profile.poll());
        }
        while (!knownDue.isEmpty() && !knownDue.first().isAfter(now)) {
            knownDue.pollFirst();
            wakeAll();
        }
    }

    /** Returns requests for the room in all lanes, minus the claims that were asked for and have not arrived. */
    List<ClaimRequest> requests(Instant now) {
        List<ClaimRequest> requests = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            for (int demand = demand(lane); demand > 0; demand = demand(lane)) {
                // Counted per lane: a single counter could fall into step with the lanes and never reach one of them.
                boolean lowestFirst = requested.merge(lane, 1, Integer::sum) % LOWEST_FIRST_EVERY == 0;
                requests.add(new ClaimRequest(node, lane, demand, lowestFirst, profile.lease(), now, filter));
                asked.merge(lane, demand, Integer::sum);
                if (!plentiful.contains(lane)) {
                    break;
                }
            }
        }
        return requests;
    }

    /**
     * Offers room to publishers of this process. A lane offers none while events may wait in the store since more than {@link
     * #OVERTAKEN}, while its events are claimed with care, and while a suspect is held. Beside other nodes, a lane whose handlers have not shown to be quick offers
     * room for the events that can begin at once: the rest of a burst is for all nodes.
     *
     * @param besideOthers whether further live nodes share the store
     */
    void offerRoom(boolean besideOthers) {
        int[] room = new int[Lane.values().length];
        if (inFlight.count(Lane.SUSPECT) == 0) {
            for (Lane lane : caughtUp) {
                if (lane != Lane.SUSPECT && !careful.contains(lane)) {
                    LaneSizes size = sizes(lane);
                    boolean few = besideOthers && !size.hasGrown();
                    int most =
                            few ? Math.min(profile.atOnce(lane), size.forImmediateClaims()) : size.forImmediateClaims();
                    room[lane.ordinal()] = most - inFlight.count(lane);
                }
            }
        }
        immediate.offer(filter, room);
    }

    private int demand(Lane lane) {
        int held = inFlight.count(lane) + immediate.reserved(lane) + asked.getOrDefault(lane, 0);
        boolean few = careful.contains(lane);
        LaneSizes size = sizes(lane);
        int room = (few ? profile.atOnce(lane) : size.held()) - held;
        boolean worthwhile = few || room >= size.claimSize() || held <= size.refillAt();
        boolean canHandle = !filter.accepted().isEmpty();
        boolean drains = lane != Lane.SUSPECT && inFlight.count(Lane.SUSPECT) > 0;
        return canHandle && !drains && worthwhile && !dry.contains(lane)
                ? Math.min(room, Math.min(size.claimSize(), ClaimRequest.MAX_DEMAND))
                : 0;
    }

    private LaneSizes sizes(Lane lane) {
        return Objects.requireNonNull(sizes.get(lane));
    }

    /** A handler has ended a claim: quick handlers make the lane's sizes grow. */
    void ended(Claim claim) {
        sizes(InFlight.laneOf(claim)).ended();
    }

    /** Returns how many settlements or claims are a full load of one exchange. */
    int fullLoad() {
        return sizes(Lane.DOMAIN).claimSize();
    }

    /** Returns true when claims should go back to the store: handlers have become slow, and this node holds too many. */
    boolean holdsTooMany(Instant now) {
        boolean tooMany = false;
        for (Lane lane : Lane.values()) {
            tooMany |= sizes(lane).exceeds(now, inFlight.count(lane));
        }
        return tooMany;
    }

    /** Returns the number of calls of {@link #wake}: an answer to requests from before the last wake may be outdated. */
    long wakes() {
        return wakes;
    }

    /** The exchange with these requests failed. */
    void unanswered(List<ClaimRequest> requests) {
        requests.forEach(request -> asked.merge(request.lane(), -request.demand(), Integer::sum));
    }

    /**
     * Takes the claims that these requests brought.
     *
     * @param current false when a lane may have more ready events than the answer shows: the lanes were marked as worth
     *     a look after the requests, or the store broke off early
     */
    void claimed(List<ClaimRequest> requests, List<Claim> claimed, boolean current) {
        unanswered(requests);
        Map<Lane, Integer> missing = new EnumMap<>(Lane.class);
        requests.forEach(request -> missing.merge(request.lane(), request.demand(), Integer::sum));
        hold(claimed);
        Set<Lane> withLoneClaims = EnumSet.noneOf(Lane.class);
        Set<Lane> recent = EnumSet.noneOf(Lane.class);
        int[] came = new int[Lane.values().length];
        long bytes = 0;
        for (Claim claim : claimed) {
            Lane lane = InFlight.laneOf(claim);
            came[lane.ordinal()]++;
            if (!recent.contains(lane) && isRecent(claim)) {
                recent.add(lane);
            }
            bytes += claim.event().payloadSize();
            if (claim.standsAlone()) {
                withLoneClaims.add(lane);
            }
        }
        for (Lane lane : Lane.values()) {
            if (came[lane.ordinal()] > 0) {
                missing.merge(lane, -came[lane.ordinal()], Integer::sum);
            }
        }
        if (current) {
            careful.removeAll(missing.keySet());
        }
        careful.addAll(withLoneClaims);
        // An answer that ended at the size limit does not show a dry lane.
        boolean large = bytes >= ClaimRequest.MAX_BYTES;
        missing.forEach((lane, events) -> answered(lane, events == 0 || large, recent.contains(lane), current));
    }

    /** Returns true for an event that became due a moment ago: what still waits behind it in the store is due later. */
    private boolean isRecent(Claim claim) {
        Instant due = claim.event().due();
        // A time in the future comes from a publisher whose clock is ahead, and tells nothing.
        return !due.isAfter(looked) && due.isAfter(looked.minus(OVERTAKEN));
    }

    /** Counts claims as held from now on. */
    void hold(List<Claim> claimed) {
        inFlight.add(claimed, looked);
        claimed.forEach(
                claim -> sizes(InFlight.laneOf(claim)).claimed(claim.event().payloadSize()));
    }

    /** Returns true when the pipeline holds one claim and expects no other: a suspect may begin. */
    boolean holdsOnlyOne() {
        return inFlight.size() == 1
                && asked.values().stream().noneMatch(events -> events > 0)
                && immediate.reserved(Lane.CRITICAL) + immediate.reserved(Lane.DOMAIN) == 0;
    }

    private void answered(Lane lane, boolean gaveAll, boolean recent, boolean current) {
        if (gaveAll) {
            // One full answer may have been the last events.
            boolean manyWait = !plentiful.add(lane);
            if (recent) {
                caughtUp.add(lane);
            } else if (manyWait) {
                caughtUp.remove(lane);
            }
        } else {
            plentiful.remove(lane);
            caughtUp.add(lane);
            if (current) {
                dry.add(lane);
            }
        }
    }

    /** Marks the lanes of events without crashes as worth a look: events were published, or follow an event of their key. */
    void wake() {
        wakes++;
        dry.removeIf(lane -> lane != Lane.SUSPECT);
    }

    private void wakeAll() {
        wakes++;
        dry.clear();
    }

    /** Events were recovered from processes that may have died of them. */
    void recovered() {
        careful.addAll(EnumSet.allOf(Lane.class));
        wakeAll();
    }

    /**
     * Remembers when an event becomes due, rounded up to whole milliseconds: events due at about the same time cause
     * one look.
     */
    void expect(Instant due) {
        Instant whole = due.truncatedTo(ChronoUnit.MILLIS);
        knownDue.add(whole.equals(due) ? due : whole.plusMillis(1));
        if (knownDue.size() > MAX_KNOWN_DUE) {
            knownDue.pollLast();
        }
    }

    /** Returns true when a lane has room for claims and may have ready events. */
    boolean needsClaims() {
        for (Lane lane : Lane.values()) {
            if (demand(lane) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns false when no claim comes before an event is settled, published or due: the lane is dry or full. */
    boolean expectsMore(Lane lane) {
        return asked.getOrDefault(lane, 0) > 0 || demand(lane) > 0;
    }

    /** Returns the next known due time or poll, whichever comes first. */
    Instant nextLook() {
        Instant due = knownDue.isEmpty() ? nextPoll : knownDue.first();
        return due.isBefore(nextPoll) ? due : nextPoll;
    }
}
