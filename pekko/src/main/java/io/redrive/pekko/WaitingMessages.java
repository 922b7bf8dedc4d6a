package io.redrive.pekko;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pending and the held messages of an actor. Waiting messages outlive a restart, as the mailbox does. Not synchronized:
 * only the actor uses its waiting messages.
 */
final class WaitingMessages<C> {

    private final int holdLimit;
    /** Null where no message is ever held, which saves an empty deque in each actor. */
    private final @Nullable Deque<C> held;
    /** The head of the linked list of pending messages. */
    private @Nullable PendingMessage<C> first;

    /** With a limit of 0 no message is held. */
    WaitingMessages(int holdLimit) {
        this.holdLimit = holdLimit;
        held = holdLimit == 0 ? null : new ArrayDeque<>();
    }

    /** Adds a pending message, unless added before. */
    void add(PendingMessage<C> pending) {
        if (pending.owner == this) {
            return;
        }
        pending.owner = this;
        pending.next = first;
        if (first != null) {
            first.previous = pending;
        }
        first = pending;
    }

    /** Removes a pending message, if present. */
    void remove(PendingMessage<C> pending) {
        if (pending.owner != this) {
            return;
        }
        pending.owner = null;
        if (pending.previous == null) {
            first = pending.next;
        } else {
            pending.previous.next = pending.next;
        }
        if (pending.next != null) {
            pending.next.previous = pending.previous;
        }
        pending.previous = null;
        pending.next = null;
    }

    boolean has(PendingMessage<C> pending) {
        return pending.owner == this;
    }

    boolean isEmpty() {
        return first == null && !hasHeld();
    }

    boolean hasPending() {
        return first != null;
    }

    /** True when an arriving message must be held: order is kept, and an earlier message waits. */
    boolean mustHold() {
        return held != null && (hasPending() || !held.isEmpty());
    }

    /** Holds {@code message}; returns false when the limit of held messages is reached. */
    boolean hold(C message) {
        return held != null && held.size() < holdLimit && held.add(message);
    }

    boolean hasHeld() {
        return held != null && !held.isEmpty();
    }

    /** Removes and returns the oldest held message. */
    C takeHeld() {
        if (held == null) {
            throw new NoSuchElementException("no message is held");
        }
        return held.remove();
    }

    /** Calls {@code action}, which may remove its message, with each pending message. */
    void forEachPending(Consumer<PendingMessage<C>> action) {
        PendingMessage<C> following;
        for (PendingMessage<C> pending = first; pending != null; pending = following) {
            following = pending.next;
            action.accept(pending);
        }
    }
}
