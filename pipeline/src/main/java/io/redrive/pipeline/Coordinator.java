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
import java.util.stream.Collectors;
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

    private final Profile profile;
    private final Listeners listeners;
    private final InFlight inFlight;
    private final Claimer claimer;
    private final Exchanges exchanges;
    private final Processor processor;
    private final Batcher batches;
    private final Batcher singles;
    private final Workers workers;
    private final Settler settler;
    private final NamePauses pauses;
    private final RetryBudgets budgets;
    private final Hold hold;
    private final Heartbeat heartbeat;
    private final HandlerWatch watch;
    private final List<Chore> chores;
    private final List<Settlement> unsettled = new ArrayList<>();
    private int losses;

    Coordinator(Stations stations) {
        profile = stations.profile();
        listeners = stations.listeners();
        processor = stations.processor();
        workers = stations.workers();
        settler = stations.settler();
        pauses = stations.pauses();
        budgets = stations.budgets();
        hold = stations.hold();
        chores = stations.chores();
        inFlight = new InFlight();
        exchanges = stations.exchanges();
        claimer = new Claimer(stations.node(), profile, inFlight);
        batches = new Batcher(profile);
        singles = new Batcher(profile);
        heartbeat = new Heartbeat(stations.store(), profile, inFlight, hold, listeners);
        watch = new HandlerWatch(workers, inFlight, profile, listeners);
    }

    /** What a coordinator is made of. */
    record Stations(
            EventStore store,
            Exchanges exchanges,
            String node,
            Profile profile,
            Listeners listeners,
            NamePauses pauses,
            RetryBudgets budgets,
            Hold hold,
            Processor processor,
            Workers workers,
            Settler settler,
            List<Chore> chores) {}

    /** Every station in order; true when anything moved. */
    boolean step(Instant now) {
        unsettled.addAll(workers.finished());
        boolean moved = endExchanges(now);
        if (heartbeat.beat(now)) {
            claimer.wake();
        }
        if (losses != hold.losses()) {
            // Others may have them by now. What workers were given they look at themselves.
            losses = hold.losses();
            releaseWaiting();
        }
        claimer.look(now);
        beginExchange(true, now);
        // Without threads it has ended already.
        moved |= endExchanges(now);
        moved |= dispatch(now);
        watch.look(now);
        // Last: when one of them fails, the events have moved on all the same.
        for (Chore chore : chores) {
            if (chore.work(now)) {
                claimer.wake();
                moved = true;
            }
        }
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
        Instant next = claimer.nextLook().isBefore(heartbeat.next()) ? claimer.nextLook() : heartbeat.next();
        // A batch that no handler is idle for leaves when one is, and that wakes us.
        Optional<Instant> timeout = batches.nextTimeout(workers::idle);
        return timeout.isPresent() && timeout.get().isBefore(next) ? timeout.get() : next;
    }

    /** From now on exchanges run in the background. */
    void startExchanges() {
        exchanges.startThreads();
    }

    /** Takes what the exchanges under way bring; false when interrupted meanwhile. No more are begun in the background. */
    boolean finishExchanges(Duration limit, Instant now) {
        boolean waited = exchanges.stopThreads(limit);
        endExchanges(now);
        return waited;
    }

    /** Handlers go on with the event or batch they have, and begin no other. */
    void beginNoMore() {
        workers.stopping();
    }

    /** Gives up what no handler has begun, to be settled next; handlers go on. */
    void releaseWaiting() {
        Stream.of(batches.clear(), singles.clear(), workers.takeBack())
                .flatMap(List::stream)
                .forEach(claim -> unsettled.add(new Settlement.Release(claim)));
    }

    /** Gives back everything, whatever its handler still does: its token will be stale. */
    void releaseAll(Instant now) {
        unsettled.addAll(workers.finished());
        Set<Claim> decided = unsettled.stream().map(Settlement::claim).collect(Collectors.toSet());
        inFlight.staying().stream()
                .filter(claim -> !decided.contains(claim))
                .forEach(claim -> unsettled.add(new Settlement.Release(claim)));
        settle(now);
    }

    /** After the last settlement. */
    void leave() {
        chores.forEach(Chore::leave);
    }

    /** Settles what was handled, and extends leases meanwhile; used while stopping. */
    void settleOnly(Instant now) {
        unsettled.addAll(workers.finished());
        settle(now);
        heartbeat.beat(now);
    }

    Instant nextBeat() {
        return heartbeat.next();
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

    /** True when anything came of those that have ended. */
    private boolean endExchanges(Instant now) {
        boolean moved = false;
        Throwable trouble = null;
        for (Exchanges.Ended ended : exchanges.ended()) {
            Exchanges.Order order = ended.order();
            if (ended.trouble() == null) {
                moved |= exchanged(order, ended.exchange(), now);
            } else {
                trouble = ended.trouble();
                unsettled.addAll(order.settlements());
                claimer.unanswered(order.requests());
            }
        }
        if (trouble instanceof Error error) {
            throw error;
        }
        if (trouble != null) {
            throw (RuntimeException) trouble;
        }
        return moved;
    }

    private boolean exchanged(Exchanges.Order order, Exchange exchange, Instant now) {
        boolean upToDate = order.looks() == claimer.looks();
        settled(order, exchange.stale(), now);
        claimer.claimed(order.requests(), exchange.claims(), upToDate);
        exchange.claims().forEach(claim -> process(claim, now));
        return !order.settlements().isEmpty() || !exchange.claims().isEmpty();
    }

    private void settled(Exchanges.Order order, List<Claim> stale, Instant now) {
        Duration took = Duration.between(order.now(), now);
        for (Settlement settlement : order.settlements()) {
            inFlight.remove(settlement.claim());
            if (stale.contains(settlement.claim())) {
                pauses.undecided(settlement.claim().event());
                PipelineListener.Stale event =
                        new PipelineListener.Stale(settlement.claim().event(), now);
                listeners.tell(listener -> listener.onStale(event));
            } else {
                announce(settlement, now);
                expect(settlement, took);
            }
        }
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

    private void process(Claim claim, Instant now) {
        if (hold.losses() > 0 && workers.isHandling(claim.position())) {
            // Claimed here again after its lease ran out, while its first handler still runs: not twice at once.
            unsettled.add(new Settlement.Snooze(claim, now.plus(STILL_HANDLED)));
            return;
        }
        Processor.Verdict verdict = processor.process(claim, now);
        if (verdict instanceof Processor.Verdict.Handle handle) {
            Batch.Key key = new Batch.Key(
                    InFlight.laneOf(claim), handle.by(), claim.event().source());
            (goesAlone(claim, handle.by()) ? singles : batches).add(key, claim, now);
        } else if (verdict instanceof Processor.Verdict.PutOff putOff) {
            unsettled.add(new Settlement.Snooze(claim, now.plus(putOff.delay())));
        } else {
            unsettled.add(settler.rejected(claim, (Processor.Verdict.Reject) verdict, now));
        }
    }

    /**
     * A retry of a batch's event goes alone: when the batch ran into the time limit, the culprit shows itself in one more
     * call, and events that have failed once spoil no batch of others.
     */
    private static boolean goesAlone(Claim claim, Handlers.Registration handler) {
        return handler instanceof Handlers.Registration.Single
                || claim.attempts().failed() > 0;
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

    private void announce(Settlement settlement, Instant now) {
        Claim claim = settlement.claim();
        if (claim.event().orderingKey().isPresent()) {
            claimer.wake();
        }
        if (settlement instanceof Settlement.Done
                || settlement instanceof Settlement.Retry
                || settlement instanceof Settlement.Dead) {
            budgets.attempted(claim, now);
        }
        if (settlement instanceof Settlement.Done) {
            pauses.done(claim.event(), now);
            Duration latency = Duration.between(claim.event().due(), now);
            PipelineListener.Done done = new PipelineListener.Done(
                    claim.event(), claim.attempts().current(), latency.isNegative() ? Duration.ZERO : latency, now);
            listeners.tell(listener -> listener.onDone(done));
        } else if (settlement instanceof Settlement.Retry retry) {
            pauses.retried(claim.event(), now);
            PipelineListener.Retrying retrying = new PipelineListener.Retrying(
                    claim.event(),
                    claim.attempts().current(),
                    retry.delay(),
                    retry.attempt().errorType(),
                    retry.attempt().message(),
                    now);
            listeners.tell(listener -> listener.onRetry(retrying));
        } else if (settlement instanceof Settlement.Dead dead) {
            if (!Processor.cameTooLate(dead)) {
                pauses.dead(claim.event(), now);
            }
            PipelineListener.Dead died = new PipelineListener.Dead(
                    claim.event(),
                    dead.reason(),
                    claim.attempts().current(),
                    dead.attempt().errorType(),
                    dead.attempt().message(),
                    dead.fingerprint(),
                    now);
            listeners.tell(listener -> listener.onDead(died));
        } else if (settlement instanceof Settlement.Snooze) {
            pauses.undecided(claim.event());
        }
    }
}
