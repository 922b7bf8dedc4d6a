package io.redrive.pekko;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The messages of one actor that wait: for their retry, for an asynchronous result, or, where order is kept, for their turn.
 * Outlives a restart of the actor, as its mailbox does. Used by the actor alone.
 */
final class WaitingMessages<C> {

    private final int holdLimit;
    private final Deque<C> held;
    private PendingMessage<C> first;

    /** With a limit of zero nothing is held back. */
    WaitingMessages(int holdLimit) {
        this.holdLimit = holdLimit;
        held = holdLimit == 0 ? null : new ArrayDeque<>();
    }

    void add(PendingMessage<C> pending) {
        if (pending.owner == this) {
            return;
        }
        pending.owner = this;
        pending.after = first;
        if (first != null) {
            first.before = pending;
        }
        first = pending;
    }

    void remove(PendingMessage<C> pending) {
        if (pending.owner != this) {
            return;
        }
        pending.owner = null;
        if (pending.before == null) {
            first = pending.after;
        } else {
            pending.before.after = pending.after;
        }
        if (pending.after != null) {
            pending.after.before = pending.before;
        }
        pending.before = null;
        pending.after = null;
    }

    boolean has(PendingMessage<C> pending) {
        return pending.owner == this;
    }

    boolean isEmpty() {
        return first == null && (held == null || held.isEmpty());
    }

    /** True when a new message must not be handled before others are. */
    boolean holdsBack() {
        return held != null && (isBusy() || !held.isEmpty());
    }

    /** True when, in order, no message may be handled now. */
    boolean isBusy() {
        return first != null;
    }

    /** False when there are too many already. */
    boolean hold(C message) {
        return held.size() < holdLimit && held.add(message);
    }

    boolean hasHeld() {
        return held != null && !held.isEmpty();
    }

    /** The next held message, or null. */
    C nextHeld() {
        return held.poll();
    }

    void forEachPending(Consumer<PendingMessage<C>> action) {
        PendingMessage<C> next;
        for (PendingMessage<C> at = first; at != null; at = next) {
            // The action may remove it.
            next = at.after;
            action.accept(at);
        }
    }
}
