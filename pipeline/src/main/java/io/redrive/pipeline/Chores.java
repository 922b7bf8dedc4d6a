package io.redrive.pipeline;

import io.redrive.core.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the chores of a pipeline, in turn. Many chores ask the store, which may take milliseconds each, and events wait meanwhile. So the
 * chores of one step take {@link #SLICE} and the rest of the last chore at most; the others follow in later steps. While events
 * move, chores also pause: they take a tenth of the time at most, unless a store is so slow that the pauses reach
 * {@link #LONGEST_PAUSE}. The first pause begins with the pipeline, whose first chores are the slowest: their statements run on new
 * connections. A chore that fails holds up no other.
 */
final class Chores {

    static final Duration SLICE = Duration.ofMillis(1);
    static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    /** A pause is so many times as long as the chores before it took. */
    private static final int PAUSE = 9;

    private final List<Chore> chores;
    private final Time time;
    /** The index of the chore that is next; zero when all chores had their turn. */
    private int next;
    /** The end of the pause, by the monotonic clock; null before the first step. */
    private @Nullable Long resume;

    private boolean busy;
    /** True when the last step was a step within the pause. */
    private boolean putOff;

    Chores(List<Chore> chores, Time time) {
        this.chores = List.copyOf(chores);
        this.time = time;
    }

    /**
     * Gives chores their turn.
     *
     * @param eventsMove true while the coordinator has more urgent work: chores pause
     * @param onReady called when a chore made events ready
     * @return true when a chore made events ready
     */
    boolean run(Instant now, boolean eventsMove, Runnable onReady) {
        busy = eventsMove;
        long began = time.nanos();
        if (resume == null) {
            resume = began + LONGEST_PAUSE.toNanos();
        }
        putOff = isPausing(began);
        return !putOff && runSome(now, began, onReady);
    }

    private boolean isPausing(long nanos) {
        return busy && resume != null && resume - nanos > 0;
    }

    private boolean runSome(Instant now, long began, Runnable onReady) {
        boolean madeReady = false;
        FirstError errors = new FirstError();
        do {
            Chore chore = chores.get(next);
            next = (next + 1) % chores.size();
            if (errors.guard(() -> chore.work(now))) {
                onReady.run();
                madeReady = true;
            }
        } while (next != 0 && time.nanos() - began < SLICE.toNanos());
        long ended = time.nanos();
        resume = ended + Math.min((ended - began) * PAUSE, LONGEST_PAUSE.toNanos());
        errors.throwFirst();
        return madeReady;
    }

    /** Returns when a chore wants the next step: at once, or after the pause, when chores wait for their turn. */
    Instant next() {
        Instant wanted = putOff || next != 0
                ? Instant.MIN
                : chores.stream().map(Chore::next).min(Instant::compareTo).orElse(Instant.MAX);
        Instant now = time.now();
        long nanos = time.nanos();
        Instant possible = resume != null && isPausing(nanos) ? now.plusNanos(resume - nanos) : now;
        return wanted.isBefore(possible) ? possible : wanted;
    }

    /** Ends the chores; call after the last settlement. */
    void leave() {
        FirstError errors = new FirstError();
        chores.forEach(chore -> errors.guard(() -> {
            chore.leave();
            return true;
        }));
        errors.throwFirst();
    }
}
