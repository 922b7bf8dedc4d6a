package io.redrive.pipeline;

import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches for handlers that ignore the interrupt of their time limit: warns with the thread's stack, once and then each
 * minute, and replaces their slots. The event of such a handler stays claimed, and its lease is extended, until the
 * handler returns: no other handler begins the event meanwhile. Used by the coordinator alone.
 */
final class HandlerWatch {

    /** The time that an interrupted handler has to return after its time limit. */
    static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final long TELL_EVERY = Duration.ofMinutes(1).toNanos();

    private final Workers workers;
    private final InFlight inFlight;
    private final Time time;
    private final Listeners listeners;
    private final long limit;
    private final Map<Worker.Call, Long> toldAt = new IdentityHashMap<>();
    private Instant nextLook = Instant.MIN;

    HandlerWatch(Workers workers, InFlight inFlight, Profile profile, Listeners listeners) {
        this.workers = workers;
        this.inFlight = inFlight;
        this.listeners = listeners;
        time = workers.time();
        limit = profile.timeLimit().plus(GRACE).toNanos();
    }

    /** Checks all handler calls once a second. */
    void look(Instant now) {
        if (!Chore.isDue(nextLook, now, LOOK_EVERY)) {
            return;
        }
        nextLook = now.plus(LOOK_EVERY);
        long nanos = time.nanos();
        int busy = 0;
        Map<Worker.Call, Long> stuck = new IdentityHashMap<>();
        for (Slots slots : workers.slots()) {
            List<Worker.Call> calls = slots.calls();
            List<Worker.Call> late =
                    calls.stream().filter(call -> nanos - call.since() > limit).toList();
            slots.replace(late.size());
            busy += calls.size();
            late.forEach(call -> stuck.put(call, toldAt.get(call)));
        }
        toldAt.clear();
        stuck.forEach((call, told) -> toldAt.put(call, tell(call, told, nanos, now)));
        Duration oldest = inFlight.oldest()
                .map(since -> Duration.between(since, now))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
        PipelineListener.Workload workload = new PipelineListener.Workload(busy, stuck.size(), oldest, now);
        listeners.tell(listener -> listener.onWorkload(workload));
    }

    private long tell(Worker.Call call, Long told, long nanos, Instant now) {
        if (told != null && nanos - told < TELL_EVERY) {
            return told;
        }
        List<Event> events = call.claims().stream()
                .limit(PipelineListener.MAX_IDS)
                .map(Claim::event)
                .toList();
        PipelineListener.Stuck stuck = new PipelineListener.Stuck(
                events,
                InFlight.laneOf(call.claims().get(0)),
                Duration.ofNanos(nanos - call.since()),
                call.thread().getName(),
                List.of(call.thread().getStackTrace()),
                now);
        listeners.tell(listener -> listener.onStuck(stuck));
        return nanos;
    }
}
