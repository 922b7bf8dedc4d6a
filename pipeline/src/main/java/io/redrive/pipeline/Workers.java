package io.redrive.pipeline;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Hands claims to workers and collects the claims that ended. Used by the coordinator alone; workers touch only the
 * queues.
 *
 * <p>Each lane has slots for single events, as many as the profile has processors, and slots for batches, as many as
 * its batcher has handlers. So a slow batch holds up no single event, and a flood of normal events no critical event. A handler
 * with an adaptive limit has slots of its own for both lanes, as many as the limit says at the moment.
 */
final class Workers {

    /** How long events wait that the executor refused. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final Time time;
    private final Worker.Tools tools;
    /** By the ordinal of the lane. */
    private final List<Slots> events = new ArrayList<>();
    /** By the ordinal of the lane. */
    private final List<Slots> batches = new ArrayList<>();

    /** The slots of handlers with an adaptive limit. */
    private final Map<Handlers.Registration, Slots> limited = new LinkedHashMap<>();

    private final List<Slots> all = new ArrayList<>();
    private final Queue<ClaimEnd> ends = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;

    /**
     * The steps of an attempt besides its handler: validators before, interceptors around, the settler after; and the handlers
     * with an adaptive limit.
     */
    record AttemptSteps(
            AttemptInterceptor around,
            Validators validators,
            Settler settler,
            List<Handlers.Registration.Single> limited) {

        /** Steps of a pipeline without adaptive limits. */
        AttemptSteps(AttemptInterceptor around, Validators validators, Settler settler) {
            this(around, validators, settler, List.of());
        }
    }

    Workers(
            HandlerThreads threads,
            Profile profile,
            Environment environment,
            AttemptSteps steps,
            Ownership ownership,
            Runnable wake) {
        time = environment.time();
        tools = new Worker.Tools(
                time,
                profile.timeLimit(),
                steps.around(),
                steps.validators(),
                steps.settler(),
                ownership,
                environment.listeners(),
                environment.activity(),
                () -> stopping,
                ends::add,
                wake);
        for (Lane lane : Lane.values()) {
            int single = profile.eventsAtOnce(lane);
            events.add(new Slots(() -> single, threads.of(lane), () -> new Worker(tools), wake));
            int handlers = profile.batcher(lane).handlers();
            batches.add(new Slots(() -> handlers, threads.of(lane), () -> new Worker(tools), wake));
        }
        for (Handlers.Registration.Single handler : steps.limited()) {
            AdaptiveLimit limit = handler.limit().orElseThrow();
            limited.put(handler, new Slots(limit::limit, threads.of(Lane.DOMAIN), () -> new Worker(tools), wake));
        }
        all.addAll(limited.values());
        all.addAll(events);
        all.addAll(batches);
    }

    /** Returns true when a slot for batches of this lane is idle. */
    boolean idle(Lane lane) {
        return batches.get(lane.ordinal()).isIdle();
    }

    /** Returns true when another full batch may be handed over, even if it waits in the queue of the slots. */
    boolean hasRoom(Lane lane) {
        return batches.get(lane.ordinal()).room() > 0;
    }

    /**
     * Returns how many more single events of this lane may be handed over, even if they wait in the queue of the slots.
     */
    int roomForEvents(Lane lane) {
        return events.get(lane.ordinal()).room();
    }

    /** Returns the handlers with an adaptive limit. */
    Set<Handlers.Registration> limited() {
        return limited.keySet();
    }

    /** Returns how many more events may be handed over to this handler, which has an adaptive limit. */
    int roomForEvents(Handlers.Registration handler) {
        return Objects.requireNonNull(limited.get(handler)).room();
    }

    /** Hands over the claims of a batch for one call of the handler. */
    void startTogether(Batch batch) {
        Slots slots = batches.get(batch.lane().ordinal());
        slots.add(new Assignment(batch.claims(), progressOf(batch)));
        start(slots);
    }

    /** Hands over the claims for one call of the handler each. */
    void startEach(Batch batch) {
        Slots own =
                batch.lane() == Lane.SUSPECT ? null : limited.get(batch.key().handler());
        Slots slots = own == null ? events.get(batch.lane().ordinal()) : own;
        BatchProgress progress = progressOf(batch);
        batch.claims().forEach(claim -> slots.add(new Assignment(List.of(claim), progress)));
        start(slots);
    }

    private BatchProgress progressOf(Batch batch) {
        return new BatchProgress(batch, tools.ownership().losses());
    }

    private void start(Slots slots) {
        // The executor refused and no task will take these claims: put the events off.
        claimsOf(slots.start())
                .forEach(claim -> ends.add(new ClaimEnd.Decided(
                        new Settlement.Snooze(claim, time.now().plus(REFUSED)))));
    }

    /** Removes and returns the ends of claims since the last call, and starts tasks for assignments that wait. */
    List<ClaimEnd> takeEnds() {
        long nanos = time.nanos();
        for (Slots slots : all) {
            slots.count(nanos);
            if (!stopping) {
                start(slots);
            }
        }
        List<ClaimEnd> taken = new ArrayList<>();
        for (ClaimEnd next = ends.poll(); next != null; next = ends.poll()) {
            taken.add(next);
        }
        return taken;
    }

    /** Removes and returns the claims that no worker has begun. */
    List<Claim> takeBack() {
        return all.stream()
                .flatMap(slots -> claimsOf(slots.takeBack()).stream())
                .toList();
    }

    Time time() {
        return time;
    }

    /** Returns the slots of all lanes, for single events and for batches. */
    List<Slots> slots() {
        return all;
    }

    /** Returns true while a handler runs with the event at this position of the store. */
    boolean isHandling(long position) {
        return all.stream()
                .flatMap(slots -> slots.calls().stream())
                .flatMap(call -> call.claims().stream())
                .anyMatch(claim -> claim.position() == position);
    }

    /** From now on no handler begins, and an interrupt of a handler counts as a stop of the pipeline. */
    void stopping() {
        stopping = true;
    }

    private List<Claim> claimsOf(List<Assignment> unbegun) {
        List<Claim> claims = new ArrayList<>();
        for (Assignment work : unbegun) {
            claims.addAll(work.claims());
            if (work.batch().ends(work.claims().size())) {
                tools.batchEnded(work.batch());
            }
        }
        return claims;
    }
}
