package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Holds processed claims until workers have room, and hands them over one by one or in batches. Used by the coordinator alone. */
final class Dispatcher {

    private final Batcher batches;
    private final Batcher singles;
    /** Single events of handlers with an adaptive limit, which have slots of their own. */
    private final Map<Handlers.Registration, Batcher> limited = new LinkedHashMap<>();

    private final Workers workers;
    private final Claimer claimer;
    private final Duration lease;
    private Batch.@Nullable Key lastKey;
    /** Since when the last suspect waits for other claims to end. */
    private Instant suspectSince = Instant.MIN;

    Dispatcher(Profile profile, Workers workers, Claimer claimer) {
        this.workers = workers;
        this.claimer = claimer;
        lease = profile.lease();
        batches = new Batcher(profile);
        singles = new Batcher(profile);
        workers.limited().forEach(handler -> limited.put(handler, new Batcher(profile)));
    }

    void add(Claim claim, Handlers.Registration handler, Instant now) {
        Batch.Key key = keyOf(claim, handler);
        suspectSince = claim.isSuspect() ? now : suspectSince;
        boolean isLimited = !limited.isEmpty() && key.lane() != Lane.SUSPECT;
        Batcher alone = isLimited ? limited.getOrDefault(handler, singles) : singles;
        (goesAlone(claim, handler) ? alone : batches).add(key, claim, now);
    }

    /** Returns the same object for claims of the same lane, handler and source one after another. */
    private Batch.Key keyOf(Claim claim, Handlers.Registration handler) {
        Lane lane = InFlight.laneOf(claim);
        String source = claim.event().source();
        if (lastKey == null
                || lastKey.handler() != handler
                || lastKey.lane() != lane
                || !lastKey.source().equals(source)) {
            lastKey = new Batch.Key(lane, handler, source);
        }
        return lastKey;
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
            if (lane != Lane.SUSPECT || maySuspectBegin(now)) {
                started |= dispatchSingles(lane, singles, now, () -> workers.roomForEvents(lane));
                started |= dispatchBatches(lane, now);
            }
        }
        for (Map.Entry<Handlers.Registration, Batcher> each : limited.entrySet()) {
            for (Lane lane : List.of(Lane.CRITICAL, Lane.DOMAIN)) {
                started |= dispatchSingles(lane, each.getValue(), now, () -> workers.roomForEvents(each.getKey()));
            }
        }
        return started;
    }

    /**
     * A suspect begins when all other claims have ended. A suspect that has waited for a lease begins beside other claims,
     * because a stuck handler must not hold up the pipeline; a crash then counts for no suspect.
     */
    private boolean maySuspectBegin(Instant now) {
        // A clock that was set back must not prolong the wait.
        boolean hasWaited = now.isBefore(suspectSince) || !now.isBefore(suspectSince.plus(lease));
        return claimer.holdsOnlyOne() || hasWaited;
    }

    /** Hands over single events, which never wait to fill a batch. Sources take turns, as they do with batches. */
    private boolean dispatchSingles(Lane lane, Batcher waiting, Instant now, IntSupplier roomForEvents) {
        boolean started = false;
        for (int room = roomForEvents.getAsInt(); room > 0; room = roomForEvents.getAsInt()) {
            Optional<Batch> some = waiting.next(lane, now, room, false);
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
            boolean mayFill = claimer.expectsMore(lane) || !workers.idle(lane);
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
        Stream<Claim> waiting = Stream.concat(Stream.of(batches, singles), limited.values().stream())
                .flatMap(batcher -> batcher.clear().stream());
        return Stream.concat(waiting, workers.takeBack().stream()).toList();
    }
}
