package io.redrive.pipeline;

import io.redrive.events.RedriveTurn;
import io.redrive.events.Redrives;
import java.time.Duration;
import java.time.Instant;

/**
 * Carries on the redrive operations of a store, one turn at a time. Each pipeline has a runner; a program without a
 * pipeline may have its own. Runners of one store need not know each other: the store gives each turn to one of them.
 *
 * <pre>{@code
 * RedriveRunner runner = new RedriveRunner(store.redrives(), "night-shift");
 * while (store.redrives().find(id).orElseThrow().state().isActive()) {
 *     runner.work(time.now());
 *     time.sleep(Duration.between(time.now(), runner.next()));
 * }
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class RedriveRunner implements Chore {

    /** The longest time until a runner notices an operation that another process started. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

    private final Redrives operations;
    private final String node;
    private Instant next = Instant.MIN;
    private Instant nextSweep = Instant.MIN;

    /**
     * Creates a runner.
     *
     * @param node the name of this process, which the operation shows
     */
    public RedriveRunner(Redrives operations, String node) {
        this.operations = operations;
        this.node = node;
    }

    /** Takes one turn, if an operation is due. Returns true when it took one: events may be ready, and more turns due. */
    @Override
    public boolean work(Instant now) {
        if (!Chore.isDue(next, now, LOOK_EVERY)) {
            return false;
        }
        // Before the call: when the store fails, the next look is not at once.
        next = now.plus(LOOK_EVERY);
        RedriveTurn turn = operations.turn(node, now);
        if (!(turn instanceof RedriveTurn.Idle idle)) {
            // Another operation, or the same one, may be due as well.
            next = now;
            return true;
        }
        Duration wait = idle.untilNext();
        next = now.plus(wait.compareTo(LOOK_EVERY) < 0 ? wait : LOOK_EVERY);
        if (Chore.isDue(nextSweep, now, SWEEP_EVERY)) {
            // Removes few rows at once; while rows are left, the next call comes soon.
            nextSweep = operations.sweep(now) > 0 ? next : now.plus(SWEEP_EVERY);
        }
        return false;
    }

    /** Returns when the next turn may be due. */
    @Override
    public Instant next() {
        return next;
    }
}
