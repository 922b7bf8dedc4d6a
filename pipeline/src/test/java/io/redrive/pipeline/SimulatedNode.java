package io.redrive.pipeline;

import static io.redrive.pipeline.StoreModel.check;

import io.redrive.core.ManualTime;
import io.redrive.core.RetryBudget;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.Lane;
import io.redrive.events.LeaseHolders;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
import io.redrive.events.RedriveRequest;
import io.redrive.events.RedriveTurn;
import io.redrive.events.Redrives;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.activity.ActivityReport;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A process of the simulation: a pipeline, its handlers' threads, and its connection to the store, which loses calls
 * and answers. The model is told of every call that passes the connection, and checks it. No call of a dead process
 * passes.
 */
final class SimulatedNode extends HookedStore {

    /** Thrown only by the simulated connection. */
    static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1;

        Fault(String message) {
            super(message, null, false, false);
        }
    }

    /** A claim of this node, with the outcome of its handler. */
    static final class Flight {
        final SimulatedNode node;
        final Claim claim;
        /** The step in which the pipeline got the claim. */
        private final int seenInStep;

        int calls;
        boolean timedOut;
        /** Null until a handler has ended with this claim. */
        Outcome outcome;
        /** When the handler ended: the worker decides at once. */
        Instant endedAt;

        Flight(SimulatedNode node, Claim claim) {
            this.node = node;
            this.claim = claim;
            seenInStep = node.stepping ? node.steps.size() - 1 : node.steps.size();
        }

        Instant seenAt() {
            return node.steps.get(seenInStep);
        }
    }

    final String name;
    final QueuedExecutor tasks = new QueuedExecutor();
    /** Exchanges on their way to the store; all arrive before the clock moves on, in any order. */
    private final QueuedExecutor onTheirWay = new QueuedExecutor();

    final Heard heard = new Heard();
    final List<Instant> steps = new ArrayList<>();
    /** By identity of the event object: each claim gets its own copy. */
    final Map<Event, Flight> flights = new IdentityHashMap<>();

    Pipeline pipeline;
    boolean handlesAll;
    boolean dead;
    /** The claims of this process when it died. */
    int heldAtDeath;

    boolean stopped;
    /** True after a stop without a lost call: the store has all counts of this process. */
    boolean hasWrittenAll;

    private final Simulation simulation;
    private final EventStore store;
    private final Set<Claim> settled = new HashSet<>();
    private final AnsweredSettlements answered = new AnsweredSettlements();
    final RetryBudget budget =
            RetryBudget.builder("simulated").reserve(0).share(0.3).build();
    private final Map<Lane, Integer> claims = new EnumMap<>(Lane.class);
    private final Map<Lane, Integer> lowestFirst = new EnumMap<>(Lane.class);
    private int failures;
    private long lastStep;
    private long disturbed;
    private long toldAt = Long.MIN_VALUE;
    private long jumpedAt;
    private boolean stepping;
    private boolean failedUnheard;

    SimulatedNode(String name, Simulation simulation) {
        super(simulation.store);
        this.name = name;
        this.simulation = simulation;
        store = simulation.store;
        lastStep = simulation.time.nanos();
        disturb();
    }

    boolean isAlive() {
        return !dead && !stopped;
    }

    /** Returns true when no fault, clock jump or long gap between steps since then explains an expired lease. */
    boolean isHealthySince(long nanos) {
        return isAlive() && disturbed < nanos && !isLate();
    }

    /** Returns true when leases may just have been extended too late. */
    boolean mayHaveLostItsHold() {
        return !isHealthySince(now() - simulation.profile.lease().toNanos());
    }

    /** Returns true when this process lives and has announced itself in time: other nodes must not count it as gone. */
    boolean isKnownToLive() {
        return isAlive() && toldAt > jumpedAt && now() - toldAt <= Member.GONE_AFTER.toNanos();
    }

    /** Returns true when a suspect has waited so long for its neighbours to end that it begins beside them. */
    boolean hasWaited(Flight flight) {
        Instant now = simulation.time.now();
        Instant until = flight.seenAt().plus(simulation.profile.lease());
        return jumpedAt > disturbed || now.isBefore(flight.seenAt()) || !now.isBefore(until);
    }

    /** After a jump of the clock, notes may look too old. */
    void jumped() {
        jumpedAt = now();
        disturb();
    }

    /** Writes of activity get lost like other calls. */
    @Override
    public ActivityLog activity() {
        ActivityLog log = super.activity();
        return new ActivityLog() {
            @Override
            public void write(ActivityReport report) {
                around("write activity", () -> {
                    log.write(report);
                    return null;
                });
            }

            @Override
            public Activity read(ActivityQuery query) {
                return log.read(query);
            }

            @Override
            public int expire(Instant now) {
                return log.expire(now);
            }
        };
    }

    @Override
    public SharedNotes notes() {
        SharedNotes hooked = super.notes();
        return new SharedNotes() {
            @Override
            public List<Note> read() {
                return hooked.read();
            }

            @Override
            public boolean write(Note note) {
                boolean written = hooked.write(note);
                if (written && note.topic().equals(Member.TOPIC)) {
                    toldAt = now();
                }
                return written;
            }

            @Override
            public boolean erase(Note note) {
                return hooked.erase(note);
            }
        };
    }

    private boolean isLate() {
        return simulation.time.nanos() - lastStep
                > simulation.profile.lease().dividedBy(3).toNanos();
    }

    long now() {
        return simulation.time.nanos();
    }

    /** Sends an exchange to the store, now or a little later. */
    void send(Runnable exchange) {
        if (simulation.chance(0.5)) {
            exchange.run();
        } else {
            onTheirWay.execute(exchange);
        }
    }

    void deliver() {
        while (!onTheirWay.waiting.isEmpty()) {
            if (simulation.chance(0.5)) {
                onTheirWay.waiting.addLast(onTheirWay.waiting.removeFirst());
            }
            onTheirWay.runNext();
        }
    }

    void disturb() {
        disturbed = simulation.time.nanos();
    }

    /** False when the store failed. */
    boolean step() {
        ManualTime time = simulation.time;
        if (isLate()) {
            disturb();
        }
        lastStep = time.nanos();
        steps.add(time.now());
        stepping = true;
        try {
            if (simulation.chance(0.5)) {
                deliver();
            }
            pipeline.step();
            return true;
        } catch (Fault e) {
            disturb();
            return false;
        } finally {
            stepping = false;
            failedUnheard = false;
        }
    }

    void stop() {
        deliver();
        steps.add(simulation.time.now());
        stopped = true;
        int before = failures;
        pipeline.stop(Duration.ZERO);
        hasWrittenAll = failures == before;
        check(failures > before || flights.isEmpty(), "a stop gives everything back", name, flights.keySet());
        tasks.runAll();
    }

    @Override
    <T> T around(String call, Supplier<T> effect) {
        if (dead) {
            throw new Fault("dead");
        }
        boolean fails = simulation.chance(simulation.faults);
        failures += fails ? 1 : 0;
        if (fails && simulation.chance(0.5)) {
            simulation.trace(name, call, "failed before it began");
            throw new Fault(call + " before");
        }
        T result = effect.get();
        if (fails) {
            simulation.trace(name, call, "took effect, but the answer got lost");
            throw new Fault(call + " after");
        }
        return result;
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return around("publish", () -> {
            List<PublishResult> results = store.publish(events, now);
            simulation.model.published(events, results);
            return results;
        });
    }

    @Override
    public PublishedEvents publish(List<Event> events, ImmediateClaim claim, Instant now) {
        List<StoreModel.Row> taken = new ArrayList<>();
        PublishedEvents published;
        try {
            published = around("publish", () -> {
                PublishedEvents stored = store.publish(events, claim, now);
                simulation.model.published(events, stored.results());
                simulation.model.claimedAtOnce(events, claim, stored, this, now);
                stored.claims().forEach(each -> taken.add(simulation.model.row(each.event())));
                return new PublishedEvents(
                        stored.results(),
                        stored.claims().stream()
                                .map(SimulatedNode::withOwnEvent)
                                .toList());
            });
        } catch (Fault e) {
            taken.forEach(row -> row.holder = null);
            throw e;
        }
        simulation.trace(name, "claim at once", published.claims());
        published.claims().forEach(each -> flights.put(each.event(), new Flight(this, each)));
        return published;
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        checkSettlements(settlements);
        checkRequests(settlements, requests);
        List<StoreModel.Row> taken = new ArrayList<>();
        Exchange exchange;
        try {
            exchange = around("exchange", () -> {
                List<Claim> stale = store.settle(settlements, now);
                simulation.model.settled(settlements, stale, now);
                List<Claim> claims = new ArrayList<>();
                for (ClaimRequest request : requests) {
                    List<Claim> found = store.claim(request);
                    simulation.model.claimed(request, found, this);
                    found.forEach(claim -> taken.add(simulation.model.row(claim.event())));
                    found.forEach(claim -> claims.add(withOwnEvent(claim)));
                }
                return new Exchange(stale, claims);
            });
        } catch (Fault e) {
            failedUnheard = true;
            taken.forEach(row -> row.holder = null);
            throw e;
        }
        simulation.trace(name, "settle", settlements, "stale", exchange.stale(), "claim", exchange.claims());
        settlements.forEach(settlement -> {
            settled.add(settlement.claim());
            flights.remove(settlement.claim().event());
            count(settlement, exchange.stale().contains(settlement.claim()));
        });
        exchange.claims().forEach(claim -> flights.put(claim.event(), new Flight(this, claim)));
        return exchange;
    }

    private void checkSettlements(List<Settlement> settlements) {
        Set<Claim> distinct = new HashSet<>();
        for (Settlement settlement : settlements) {
            check(distinct.add(settlement.claim()), "a claim is settled in one way", settlements);
            check(!settled.contains(settlement.claim()), "a claim is settled once", settlement);
            Flight flight = flights.get(settlement.claim().event());
            check(flight != null, "only what was claimed is settled", settlement);
            Verdicts.check(settlement, flight, this, simulation);
        }
    }

    private void checkRequests(List<Settlement> settlements, List<ClaimRequest> requests) {
        Map<Lane, Integer> held = new EnumMap<>(Lane.class);
        flights.values().forEach(flight -> held.merge(InFlight.laneOf(flight.claim), 1, Integer::sum));
        settlements.forEach(leaving -> held.merge(InFlight.laneOf(leaving.claim()), -1, Integer::sum));
        for (ClaimRequest request : requests) {
            int then = held.merge(request.lane(), request.demand(), Integer::sum);
            // Claims that another exchange is settling make room already, even if that exchange fails.
            boolean excused = !onTheirWay.waiting.isEmpty() || failedUnheard;
            int most = simulation.profile.mostHeld(request.lane());
            // Publishers may use most of the room while a request for the same room is under way.
            int published = simulation.immediate ? most - most / 4 : 0;
            check(
                    then <= most * (excused ? 2 : 1) + published,
                    "no more is asked for than there is room for",
                    request,
                    then);
            int asked = claims.merge(request.lane(), 1, Integer::sum);
            int lowest = lowestFirst.merge(request.lane(), request.lowestFirst() ? 1 : 0, Integer::sum);
            check(
                    asked < 20 || lowest * 10 >= asked && lowest * 3 <= asked,
                    "urgent first, but not always",
                    asked,
                    lowest);
        }
    }

    private static Claim withOwnEvent(Claim claim) {
        return new Claim(
                claim.event().toBuilder().build(),
                claim.position(),
                claim.token(),
                claim.attempts(),
                claim.firstClaimed(),
                claim.lastDelay(),
                claim.redrives());
    }

    private void count(Settlement settlement, boolean isStale) {
        if (isStale) {
            answered.stale++;
        } else {
            settlement.match(answered, AnsweredSettlements.COUNT);
        }
    }

    /** Every settlement was announced once, except settlements whose answer a crashed process had not received. */
    void compareAnnouncements() {
        check(isComplete(heard.stale, answered.stale), "each stale settlement is announced", name, heard.stale);
        check(isComplete(heard.done, answered.done), "each success is announced", name, heard.done);
        check(isComplete(heard.retries, answered.retries), "each retry is announced", name, heard.retries);
        check(isComplete(heard.dead, answered.dead), "each death is announced", name, heard.dead);
    }

    private boolean isComplete(List<?> said, int settlements) {
        return dead ? said.size() <= settlements : said.size() == settlements;
    }

    boolean isPausing(String event) {
        return heard.paused.stream().anyMatch(paused -> paused.name().equals(event));
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        around("extend", () -> {
            store.extend(tokens, lease, now);
            simulation.model.extended(tokens, lease, now);
            return null;
        });
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        return around("recover", () -> {
            int recovered = store.recover(now, holders);
            simulation.model.recovered(recovered, holders, now);
            simulation.trace(name, "recover", recovered, holders);
            return recovered;
        });
    }

    /** The automatic redrive is an operator too: the model is told of its redrives. */
    @Override
    public DeadLetters deadLetters() {
        DeadLetters letters = super.deadLetters();
        return (DeadLetters) Proxy.newProxyInstance(
                DeadLetters.class.getClassLoader(), new Class<?>[] {DeadLetters.class}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof RedriveRequest request) {
                        return around("redrive", () -> simulation.model.redrive(request));
                    }
                    return method.invoke(letters, arguments);
                });
    }

    /** The model is told of each turn. */
    @Override
    public Redrives redrives() {
        return (Redrives) Proxy.newProxyInstance(
                Redrives.class.getClassLoader(), new Class<?>[] {Redrives.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("turn")) {
                        Instant now = (Instant) arguments[1];
                        return around("turn", () -> {
                            RedriveTurn turn = store.redrives().turn(name, now);
                            simulation.trace(name, "turn", turn);
                            simulation.model.redrives.turned(turn, now);
                            return turn;
                        });
                    }
                    return method.invoke(store.redrives(), arguments);
                });
    }

    @Override
    public String toString() {
        return name;
    }
}
