package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Owns the pipeline's state and moves it on, one {@link #step} at a time. One thread at a time uses the coordinator; workers
 * only run handlers and queue how their claims ended.
 *
 * <p>When the store fails, the claims of the exchange stay unsettled and the next step settles them again. Settling a claim
 * twice is harmless: the second settlement has a stale token.
 */
final class Coordinator {

    private final EventStore store;
    private final Profile profile;
    private final Admission admission;
    private final Announcer announcer;
    private final InFlight inFlight;
    private final Claimer claimer;
    private final ImmediateClaims immediate;
    private final Exchanges exchanges;
    private final Processor processor;
    private final Dispatcher dispatcher;
    private final Workers workers;
    private final ClaimIntake intake;
    private final Ownership ownership;
    private final Members members;
    private final Recovery recovery;
    private final HandlerWatch watch;
    private final LeaseKeeper leases;
    private final RunningHandlers running;
    private final Chores chores;
    private final List<ClaimEnd> unsettled = new ArrayList<>();
    private final Gathering gathering = new Gathering();
    private Set<NamePattern> pausedByHand = Set.of();
    private int losses;

    Coordinator(Parts parts) {
        store = parts.store();
        profile = parts.profile();
        admission = parts.admission();
        announcer = parts.announcer();
        inFlight = parts.inFlight();
        immediate = parts.immediate();
        exchanges = parts.exchanges();
        processor = parts.processor();
        workers = parts.workers();
        ownership = parts.ownership();
        members = parts.members();
        leases = parts.leases();
        running = parts.running();
        chores = parts.chores();
        claimer = new Claimer(
                parts.members().holder(), profile, parts.sizes(), inFlight, immediate, processor.accepted(Instant.MIN));
        dispatcher = new Dispatcher(profile, workers, claimer);
        intake = new ClaimIntake(
                profile.lease(), ownership, workers, processor, dispatcher, parts.settler(), unsettled::add);
        recovery = new Recovery(store, profile, parts.members(), parts.listeners());
        watch = new HandlerWatch(workers, inFlight, profile, parts.listeners());
    }

    /** The parts of a coordinator: first those on the path of an event, in order. */
    record Parts(
            EventStore store,
            Profile profile,
            Map<Lane, LaneSizes> sizes,
            ImmediateClaims immediate,
            Exchanges exchanges,
            InFlight inFlight,
            Processor processor,
            Admission admission,
            Workers workers,
            RunningHandlers running,
            Settler settler,
            Announcer announcer,
            Listeners listeners,
            Members members,
            Ownership ownership,
            LeaseKeeper leases,
            Chores chores) {}

    /** Passes every station in order. Returns true when an event moved. */
    boolean step(Instant now) {
        takeEnds();
        // Removes settled claims; new claims pass the processor and wait in the dispatcher.
        boolean moved = takeImmediate(now) | endExchanges(now);
        leases.beat(now);
        if (recovery.runIfDue(now)) {
            claimer.recovered();
        }
        if (losses != ownership.losses()) {
            // Leases ran out: give back the claims that no handler has begun. Workers check the others themselves.
            losses = ownership.losses();
            releaseWaiting();
        }
        obeyPauses(now);
        claimer.look(now);
        if (claimer.holdsTooMany(now)) {
            dispatcher.takeBack().forEach(claim -> decide(putOff(claim, now)));
        }
        beginExchange(true, now);
        // Without threads the exchange has ended already, and its claims go to the dispatcher in this step.
        moved |= endExchanges(now);
        // Before the dispatch: a suspect begins only beside no other claim.
        claimer.offerRoom(members.count() > 1);
        // An exchange under way wakes the loop when it ends; settlements that wait for none need another step.
        moved |= dispatcher.dispatch(now) || !unsettled.isEmpty() && exchanges.isIdle() && !gathering.isWaiting();
        watch.look(now);
        // Chores come last: a chore that fails holds up no event. A pipeline that is stepped by hand never puts chores
        // off.
        boolean eventsMove = exchanges.hasThreads() && (moved || !isIdle());
        return chores.run(now, eventsMove, claimer::wake) || moved;
    }

    /** Keeps paused names out of the next claims, and puts off waiting claims when an operator paused further names. */
    private void obeyPauses(Instant now) {
        admission.inform(store.notes(), now);
        claimer.use(processor.accepted(now));
        Set<NamePattern> byHand = admission.pausedByHand(now);
        if (byHand != pausedByHand && !pausedByHand.containsAll(byHand)) {
            // Claims of other names wait among them, and are ready again at once.
            dispatcher.takeBack().forEach(claim -> decide(putOff(claim, now)));
        }
        pausedByHand = byHand;
    }

    private Settlement.Snooze putOff(Claim claim, Instant now) {
        return admission.isPausedByHand(claim, now)
                ? new Settlement.Snooze(claim, now.plus(HandPausedNames.WAIT), Settlement.Snooze.Cause.PAUSED)
                : new Settlement.Snooze(claim, now);
    }

    /** Events were published, or became ready in another way. */
    void wake() {
        claimer.wake();
    }

    boolean isIdle() {
        return inFlight.isEmpty() && unsettled.isEmpty() && exchanges.isIdle();
    }

    /** Returns true while an exchange is under way: whether the store works is not known yet. */
    boolean awaitsStore() {
        return !exchanges.isIdle();
    }

    /** Returns when to step again unless a worker, an exchange or a publisher wakes the loop before. */
    Instant nextStep() {
        Instant next = claimer.nextLook().isBefore(nextBeat()) ? claimer.nextLook() : nextBeat();
        next = gathering.until().isBefore(next) ? gathering.until() : next;
        next = chores.next().isBefore(next) ? chores.next() : next;
        Optional<Instant> timeout = dispatcher.nextTimeout();
        return timeout.isPresent() && timeout.get().isBefore(next) ? timeout.get() : next;
    }

    /** From now on threads of the pipeline run exchanges and extend leases. */
    void startThreads() {
        exchanges.startThreads();
        leases.start();
        immediate.open();
    }

    /** Stops extending leases. May be called from any thread. */
    void stopKeeping() {
        leases.stop();
    }

    /**
     * Waits for the exchanges under way, {@code limit} at most, and takes their results. Later exchanges run on the caller's
     * thread. Returns false when interrupted.
     */
    boolean finishExchanges(Duration limit, Instant now) {
        boolean waited = exchanges.stopThreads(limit);
        endExchanges(now);
        return waited;
    }

    /** Lets handlers finish the event or batch they have; no other handler call begins. May be called from any thread. */
    void beginNoMore() {
        immediate.close();
        workers.stopping();
    }

    /** Releases the claims that no handler has begun, with the next exchange. Handlers go on. */
    void releaseWaiting() {
        immediate.take().forEach(arrival -> arrival.claims().forEach(this::release));
        dispatcher.takeBack().forEach(this::release);
    }

    /**
     * Releases all claims, even those whose handler still runs: the settlement of such a handler will be stale. Keeps the
     * claims whose handler ends the process: their leases run out, which counts as a crash.
     */
    void releaseAll(Instant now) {
        unsettled.addAll(workers.takeEnds());
        Set<Claim> kept = running.endingTheProcess();
        unsettled.forEach(end -> kept.add(end.settlement().claim()));
        inFlight.staying().stream().filter(claim -> !kept.contains(claim)).forEach(this::release);
        settle(now);
    }

    /** {@link #releaseAll} for a thread that does not own this coordinator, while the thread that does hangs for good. */
    void abandon(Instant now) {
        Set<Claim> kept = running.endingTheProcess();
        Stream<Claim> arrived = immediate.take().stream().flatMap(arrival -> arrival.claims().stream());
        List<Settlement> releases = Stream.concat(inFlight.staying().stream(), arrived)
                .filter(claim -> !kept.contains(claim))
                .<Settlement>map(Settlement.Release::new)
                .toList();
        store.settle(releases, now);
    }

    /** Ends the chores; call after the last settlement. */
    void leave() {
        leases.stop();
        chores.leave();
    }

    /** Settles ended claims and extends leases, but claims no events; used while stopping. */
    void settleOnly(Instant now) {
        unsettled.addAll(workers.takeEnds());
        settle(now);
        leases.beat(now);
        recovery.runIfDue(now);
    }

    /** Returns true when no handler is busy, not counting handlers that end the process, which never return. */
    boolean hasHandledAll() {
        return isIdle()
                || unsettled.isEmpty()
                        && exchanges.isIdle()
                        && running.endingTheProcess().containsAll(inFlight.staying());
    }

    Instant nextBeat() {
        return leases.next().isBefore(recovery.next()) ? leases.next() : recovery.next();
    }

    private void settle(Instant now) {
        beginExchange(false, now);
        endExchanges(now);
    }

    private void takeEnds() {
        List<ClaimEnd> ends = workers.takeEnds();
        for (ClaimEnd end : ends) {
            if (end.settlement() instanceof Settlement.Done
                    || end.settlement().failedAttempt().isPresent()) {
                claimer.ended(end.settlement().claim());
            }
        }
        unsettled.addAll(ends);
    }

    private void decide(Settlement settlement) {
        unsettled.add(new ClaimEnd.Decided(settlement));
    }

    private void release(Claim claim) {
        decide(new Settlement.Release(claim));
    }

    /** Settles ended claims and claims events, in one transaction of the store. */
    private void beginExchange(boolean claiming, Instant now) {
        // Each ended claim leads to a step: most of them end here, before the longer look at what could be settled.
        boolean beside = !exchanges.isIdle();
        if (beside && (unsettled.size() < claimer.fullLoad() || !exchanges.hasRoom(members.count()))) {
            return;
        }
        List<ClaimEnd> settling = new ArrayList<>(unsettled);
        List<ClaimEnd> waiting = exchanges.removeBusy(settling);
        // Beside an exchange under way, a second starts only with a full load of settlements.
        if (beside && settling.size() < claimer.fullLoad()) {
            return;
        }
        // Claims enough are held, and others of them will end: a transaction now would settle few.
        boolean spare = exchanges.hasThreads() && inFlight.size() > unsettled.size() && !claimer.needsClaims();
        if (claiming && spare && gathering.waits(settling, claimer.fullLoad(), now)) {
            return;
        }
        gathering.end();
        inFlight.leave(settling);
        List<ClaimRequest> requests = claiming ? claimer.requests(now) : List.of();
        if (!settling.isEmpty() || !requests.isEmpty()) {
            unsettled.clear();
            unsettled.addAll(waiting);
            exchanges.begin(new Exchanges.Order(settling, requests, now, claimer.wakes()));
        }
    }

    /**
     * Takes the answers of ended exchanges: removes settled claims and processes new claims. Returns true when an event
     * moved. An exception of one exchange stops no other.
     */
    private boolean endExchanges(Instant now) {
        boolean moved = false;
        FirstError errors = new FirstError();
        for (Exchanges.Result result : exchanges.ended()) {
            if (result instanceof Exchanges.Result.Answered answered) {
                moved |= errors.guard(() -> exchanged(answered, now, errors));
            } else {
                errors.add(((Exchanges.Result.Failed) result).error());
                unsettled.addAll(result.order().ends());
                claimer.unanswered(result.order().requests());
            }
        }
        errors.throwFirst();
        return moved;
    }

    private boolean exchanged(Exchanges.Result.Answered answered, Instant now, FirstError errors) {
        Exchanges.Order order = answered.order();
        Exchange exchange = answered.exchange();
        boolean current = order.wakes() == claimer.wakes() && !exchange.more();
        Duration took = Duration.between(order.now(), now);
        inFlight.remove(order.ends());
        for (ClaimEnd end : order.ends()) {
            errors.guard(() -> settled(end, exchange.stale(), took, now));
        }
        claimer.claimed(order.requests(), exchange.claims(), current);
        intake.take(exchange.claims(), took, now, errors);
        return !order.ends().isEmpty() || !exchange.claims().isEmpty() || exchange.more();
    }

    /** Takes the claims of events that were published meanwhile. Returns true when there was one. */
    private boolean takeImmediate(Instant now) {
        FirstError errors = new FirstError();
        List<ImmediateClaims.Arrival> arrivals = immediate.take();
        for (ImmediateClaims.Arrival arrival : arrivals) {
            claimer.hold(arrival.claims());
            intake.take(arrival.claims(), Duration.between(arrival.published(), now), now, errors);
        }
        errors.throwFirst();
        return !arrivals.isEmpty();
    }

    private boolean settled(ClaimEnd end, List<Claim> stale, Duration took, Instant now) {
        Settlement settlement = end.settlement();
        Claim claim = settlement.claim();
        if (stale.contains(claim)) {
            admission.stale(claim);
            announcer.stale(claim.event(), now);
        } else {
            // A store with its own clock counts the wait from some moment of the exchange on. A look after wait and
            // exchange finds the event due; a look before would leave the event to the next poll.
            settlement.readyAgain().ifPresent(due -> claimer.expect(due.plus(took)));
            if (claim.event().orderingKey().isPresent()) {
                claimer.wake();
            }
            admission.settled(end, now);
            announcer.settled(settlement, now);
        }
        return true;
    }
}
