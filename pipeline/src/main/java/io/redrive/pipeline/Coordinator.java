package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Owns the pipeline's state and moves it on, one {@link #step} at a time. Used by one thread at a time; workers only run
 * handlers and queue what they say.
 *
 * <p>What a step could not settle, because the store failed, it keeps and settles in the next: settling twice is harmless,
 * the second time the token is stale.
 */
final class Coordinator {

    /** How long an event waits whose handler, under an earlier claim, has not returned yet. */
    private static final Duration STILL_HANDLED = Duration.ofSeconds(5);

    /** How long an event waits that could not be processed, whatever the reason. */
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(1);

    private final EventStore store;
    private final Profile profile;
    private final Announcer announcer;
    private final InFlight inFlight;
    private final Claimer claimer;
    private final Exchanges exchanges;
    private final Processor processor;
    private final Batcher batches;
    private final Batcher singles;
    private final Workers workers;
    private final Settler settler;
    private final Ownership ownership;
    private final Housekeeping housekeeping;
    private final HandlerWatch watch;
    private final LeaseKeeper leases;
    private final RunningHandlers running;
    private final List<Chore> chores;
    private final List<Settlement> unsettled = new ArrayList<>();
    private int losses;

    Coordinator(Parts parts) {
        store = parts.store();
        profile = parts.profile();
        Listeners listeners = parts.environment().listeners();
        announcer = new Announcer(listeners, parts.pauses(), parts.budgets());
        processor = parts.processor();
        workers = parts.workers();
        settler = parts.settler();
        ownership = parts.ownership();
        chores = parts.chores();
        inFlight = new InFlight();
        exchanges = parts.exchanges();
        running = parts.running();
        claimer = new Claimer(parts.members().holder(), profile, inFlight, processor.accepted());
        batches = new Batcher(profile);
        singles = new Batcher(profile);
        housekeeping = new Housekeeping(parts.store(), profile, parts.members(), listeners);
        leases = new LeaseKeeper(parts, inFlight);
        watch = new HandlerWatch(workers, inFlight, profile, listeners);
    }

    /** What a coordinator is made of. */
    record Parts(
            EventStore store,
            Exchanges exchanges,
            Members members,
            Profile profile,
            Environment environment,
            LoopWatch watch,
            NamePauses pauses,
            RetryBudgets budgets,
            Ownership ownership,
            Processor processor,
            Workers workers,
            RunningHandlers running,
            Settler settler,
            List<Chore> chores) {}

    /** Every station in order; true when anything moved. */
    boolean step(Instant now) {
        unsettled.addAll(workers.finished());
        boolean moved = endExchanges(now);
        leases.beat(now);
        if (housekeeping.beat(now)) {
            claimer.recovered();
        }
        if (losses != ownership.losses()) {
            // Others may have them by now. What workers were given they look at themselves.
            losses = ownership.losses();
            releaseWaiting();
        }
        claimer.look(now);
        beginExchange(true, now);
        // Without threads it has ended already.
        moved |= endExchanges(now);
        moved |= dispatch(now);
        watch.look(now);
        // Last: when one of them fails, the events and the other chores have moved on all the same.
        FirstError errors = new FirstError();
        for (Chore chore : chores) {
            if (errors.guard(() -> chore.work(now))) {
                claimer.wake();
                moved = true;
            }
        }
        errors.throwFirst();
        return moved;
    }

    /** Something was published, or became ready in another way. */
    void wake() {
        claimer.wake();
    }

    boolean isIdle() {
        return inFlight.isEmpty() && unsettled.isEmpty() && exchanges.isIdle();
    }

    /** True while an exchange is under way: nobody knows yet whether the store is well. */
    boolean awaitsStore() {
        return !exchanges.isIdle();
    }

    /** When to step again if nobody wakes us. */
    Instant nextStep() {
        Instant next = claimer.nextLook().isBefore(nextBeat()) ? claimer.nextLook() : nextBeat();
        // A batch that no handler is idle for leaves when one is, and that wakes us.
        Optional<Instant> timeout = batches.nextTimeout(workers::idle);
        return timeout.isPresent() && timeout.get().isBefore(next) ? timeout.get() : next;
    }

    /** From now on exchanges run, and leases are extended, in the background. */
    void startThreads() {
        exchanges.startThreads();
        leases.start();
    }

    /** Leases are extended no more. Any thread may call it. */
    void stopKeeping() {
        leases.stop();
    }

    /** Takes what the exchanges under way bring; false when interrupted meanwhile. No more are begun in the background. */
    boolean finishExchanges(Duration limit, Instant now) {
        boolean waited = exchanges.stopThreads(limit);
        endExchanges(now);
        return waited;
    }

    /** Handlers go on with the event or batch they have, and begin no other. Any thread may call it. */
    void beginNoMore() {
        workers.stopping();
    }

    /** Gives up what no handler has begun, to be settled next; handlers go on. */
    void releaseWaiting() {
        Stream.of(batches.clear(), singles.clear(), workers.takeBack())
                .flatMap(List::stream)
                .forEach(claim -> unsettled.add(new Settlement.Release(claim)));
    }

    /**
     * Gives back everything, whatever its handler still does: its token will be stale. All but the events whose handler ends
     * the process: their leases run out, which counts as the crash that it is.
     */
    void releaseAll(Instant now) {
        unsettled.addAll(workers.finished());
        Set<Claim> left = running.endingTheProcess();
        unsettled.stream().map(Settlement::claim).forEach(left::add);
        inFlight.staying().stream()
                .filter(claim -> !left.contains(claim))
                .forEach(claim -> unsettled.add(new Settlement.Release(claim)));
        settle(now);
    }

    /** {@link #releaseAll} for a thread that does not own this coordinator, while the one that does hangs for good. */
    void abandon(Instant now) {
        Set<Claim> left = running.endingTheProcess();
        List<Settlement> releases = inFlight.staying().stream()
                .filter(claim -> !left.contains(claim))
                .<Settlement>map(Settlement.Release::new)
                .toList();
        store.settle(releases, now);
    }

    /** After the last settlement. */
    void leave() {
        leases.stop();
        FirstError errors = new FirstError();
        chores.forEach(chore -> errors.guard(() -> {
            chore.leave();
            return true;
        }));
        errors.throwFirst();
    }

    /** Settles what was handled, and extends leases meanwhile; used while stopping. */
    void settleOnly(Instant now) {
        unsettled.addAll(workers.finished());
        settle(now);
        leases.beat(now);
        housekeeping.beat(now);
    }

    /** True when no handler is busy but those that end the process: they do not return. */
    boolean hasHandledAll() {
        return isIdle()
                || unsettled.isEmpty()
                        && exchanges.isIdle()
                        && running.endingTheProcess().containsAll(inFlight.staying());
    }

    Instant nextBeat() {
        return leases.next().isBefore(housekeeping.next()) ? leases.next() : housekeeping.next();
    }

    private void settle(Instant now) {
        beginExchange(false, now);
        endExchanges(now);
    }

    /** Hands in what was decided and asks for what is due, in one transaction of the store. */
    private void beginExchange(boolean claiming, Instant now) {
        if (!exchanges.hasRoom()) {
            return;
        }
        List<Settlement> settling = new ArrayList<>();
        List<Settlement> waiting = new ArrayList<>();
        Set<Long> busy = exchanges.leasesBeingSettled();
        for (Settlement settlement : unsettled) {
            (busy.contains(settlement.claim().token()) ? waiting : settling).add(settlement);
        }
        // While one is under way, a second has to be worth its transaction.
        if (!exchanges.isIdle() && settling.size() < profile.claimSize()) {
            return;
        }
        settling.forEach(settlement -> inFlight.leave(settlement.claim()));
        List<ClaimRequest> requests = claiming ? claimer.requests(now) : List.of();
        if (!settling.isEmpty() || !requests.isEmpty()) {
            unsettled.clear();
            unsettled.addAll(waiting);
            exchanges.begin(new Exchanges.Order(settling, requests, now, claimer.looks()));
        }
    }

    /** True when anything came of those that have ended. Whatever one of them throws, the others are taken. */
    private boolean endExchanges(Instant now) {
        boolean moved = false;
        FirstError errors = new FirstError();
        for (Exchanges.Ended ended : exchanges.ended()) {
            Exchanges.Order order = ended.order();
            if (ended.trouble() == null) {
                moved |= errors.guard(() -> exchanged(order, ended.exchange(), now, errors));
            } else {
                errors.add(ended.trouble());
                unsettled.addAll(order.settlements());
                claimer.unanswered(order.requests());
            }
        }
        errors.throwFirst();
        return moved;
    }

    private boolean exchanged(Exchanges.Order order, Exchange exchange, Instant now, FirstError errors) {
        boolean upToDate = order.looks() == claimer.looks();
        Duration took = Duration.between(order.now(), now);
        for (Settlement settlement : order.settlements()) {
            inFlight.remove(settlement.claim());
            errors.guard(() -> settled(settlement, exchange.stale(), took, now));
        }
        claimer.claimed(order.requests(), exchange.claims(), upToDate && !exchange.more());
        // Nobody extended these leases up to now: others may have the events.
        boolean tooOld = took.compareTo(profile.lease()) > 0;
        for (Claim claim : exchange.claims()) {
            if (tooOld) {
                unsettled.add(new Settlement.Release(claim));
            } else if (!errors.guard(() -> process(claim, now))) {
                unsettled.add(new Settlement.Snooze(claim, now.plus(AFTER_TROUBLE)));
            }
        }
        return !order.settlements().isEmpty() || !exchange.claims().isEmpty() || exchange.more();
    }

    private boolean settled(Settlement settlement, List<Claim> stale, Duration took, Instant now) {
        if (stale.contains(settlement.claim())) {
            announcer.stale(settlement.claim(), now);
        } else {
            expect(settlement, took);
            if (settlement.claim().event().orderingKey().isPresent()) {
                claimer.wake();
            }
            announcer.settled(settlement, now);
        }
        return true;
    }

    /**
     * A store with a clock of its own counts the wait from some moment of the exchange on. Who looks after the wait and the
     * exchange finds the event due; a little sooner, and it would have to wait for the next poll.
     */
    private void expect(Settlement settlement, Duration exchange) {
        if (settlement instanceof Settlement.Retry retry) {
            claimer.expect(retry.due().plus(exchange));
        } else if (settlement instanceof Settlement.Snooze snooze) {
            claimer.expect(snooze.due().plus(exchange));
        }
    }

    private boolean process(Claim claim, Instant now) {
        if (ownership.losses() > 0 && workers.isHandling(claim.position())) {
            // Claimed here again after its lease ran out, while its first handler still runs: not twice at once.
            unsettled.add(new Settlement.Snooze(claim, now.plus(STILL_HANDLED)));
            return true;
        }
        Processor.Verdict verdict = processor.process(claim, now);
        if (verdict instanceof Processor.Verdict.Handle handle) {
            Batch.Key key = new Batch.Key(
                    InFlight.laneOf(claim), handle.by(), claim.event().source());
            (goesAlone(claim, handle.by()) ? singles : batches).add(key, claim, now);
        } else if (verdict instanceof Processor.Verdict.PutOff putOff) {
            unsettled.add(new Settlement.Snooze(claim, now.plus(putOff.delay()), putOff.cause()));
        } else {
            unsettled.add(settler.rejected(claim, (Processor.Verdict.Reject) verdict, now));
        }
        return true;
    }

    /**
     * A retry of a batch's event goes alone: when the batch ran into the time limit, the culprit shows itself in one more
     * call, and events that have failed once spoil no batch of others. So does an event that may have ended its process.
     */
    private static boolean goesAlone(Claim claim, Handlers.Registration handler) {
        return handler instanceof Handlers.Registration.Single
                || claim.attempts().failed() > 0
                || claim.standsAlone();
    }

    private boolean dispatch(Instant now) {
        boolean started = false;
        for (Lane lane : Lane.values()) {
            started |= dispatchSingles(lane, now);
            while (workers.hasRoom(lane)) {
                // A batch that is not full had better fill up than lie ready.
                boolean mayFill = claimer.expectsMore(lane) || !workers.idle(lane);
                Optional<Batch> batch = batches.next(lane, now, Integer.MAX_VALUE, mayFill);
                if (batch.isEmpty()) {
                    break;
                }
                workers.startTogether(batch.get());
                started = true;
            }
        }
        // An exchange that is under way wakes us when it has ended.
        return started || !unsettled.isEmpty() && exchanges.isIdle();
    }

    /** Single events gain nothing by waiting for others. Sources take turns here, as they do with batches. */
    private boolean dispatchSingles(Lane lane, Instant now) {
        boolean started = false;
        for (int room = workers.roomForEvents(lane); room > 0; room = workers.roomForEvents(lane)) {
            Optional<Batch> some = singles.next(lane, now, room, false);
            if (some.isEmpty()) {
                return started;
            }
            workers.startEach(some.get());
            started = true;
        }
        return started;
    }
}
