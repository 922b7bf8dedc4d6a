package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Holds processed claims until workers have room, and hands them over one by one or in batches. Used by the coordinator alone. */
final class Dispatcher {

    private final Batcher batches;
    private final Batcher singles;
    private final Workers workers;
    private final Predicate<Lane> expectsMore;

    /** @param expectsMore true for a lane while more claims are on their way */
    Dispatcher(Profile profile, Workers workers, Predicate<Lane> expectsMore) {
        this.workers = workers;
        this.expectsMore = expectsMore;
        batches = new Batcher(profile);
        singles = new Batcher(profile);
    }

    void add(Claim claim, Handlers.Registration handler, Instant now) {
        Batch.Key key =
                new Batch.Key(InFlight.laneOf(claim), handler, claim.event().source());
        (goesAlone(claim, handler) ? singles : batches).add(key, claim, now);
    }

    /**
     * A retry of a batch's event goes alone: when the batch ran into the time limit, the culprit shows itself in one more
     * call, and events that have failed once spoil no batch. An event that may have ended its process goes alone too.
     */
    private static boolean goesAlone(Claim claim, Handlers.Registration handler) {
        return handler instanceof Handlers.Registration.Single
                || claim.attempts().failed() > 0
                || claim.standsAlone();
    }

    /** Hands over the claims there is room for. Returns true when at least one was handed over. */
    boolean dispatch(Instant now) {
        boolean started = false;
        for (Lane lane : Lane.values()) {
            started |= dispatchSingles(lane, now);
            started |= dispatchBatches(lane, now);
        }
        return started;
    }

    /** Hands over single events, which never wait to fill a batch. Sources take turns, as they do with batches. */
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

    private boolean dispatchBatches(Lane lane, Instant now) {
        boolean started = false;
        while (workers.hasRoom(lane)) {
            // A partial batch waits in the batcher, where it can fill up, rather than in the queue of the slots.
            boolean mayFill = expectsMore.test(lane) || !workers.idle(lane);
            Optional<Batch> batch = batches.next(lane, now, Integer.MAX_VALUE, mayFill);
            if (batch.isEmpty()) {
                return started;
            }
            workers.startTogether(batch.get());
            started = true;
        }
        return started;
    }

    /** Returns when the next partial batch has waited its time and finds an idle handler; empty when none waits. */
    Optional<Instant> nextTimeout() {
        // A batch without an idle handler leaves when a handler becomes idle, which wakes the loop.
        return batches.nextTimeout(workers::idle);
    }

    /** Removes and returns the claims that no handler has begun. */
    List<Claim> takeBack() {
        return Stream.of(batches.clear(), singles.clear(), workers.takeBack())
                .flatMap(List::stream)
                .toList();
    }
}
