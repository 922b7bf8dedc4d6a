package io.redrive.core;

import java.util.BitSet;

/**
 * The outcomes of the last calls, as a ring of bits. All methods except {@link #isFullOfSuccesses} need the breaker's
 * lock.
 */
final class OutcomeWindow {

    private final BitSet failed;
    private final int size;
    private int next;
    private int calls;
    private int failures;
    private volatile boolean fullOfSuccesses;

    OutcomeWindow(int size) {
        this.size = size;
        failed = new BitSet(size);
    }

    void add(boolean failure) {
        if (calls < size) {
            calls++;
        } else if (failed.get(next)) {
            failures--;
        }
        failed.set(next, failure);
        if (failure) {
            failures++;
        }
        next = (next + 1) % size;
        boolean full = calls == size && failures == 0;
        if (full != fullOfSuccesses) {
            fullOfSuccesses = full;
        }
    }

    void clear() {
        failed.clear();
        next = 0;
        calls = 0;
        failures = 0;
        fullOfSuccesses = false;
    }

    /** Returns true when another success would change nothing. */
    boolean isFullOfSuccesses() {
        return fullOfSuccesses;
    }

    int size() {
        return size;
    }

    int calls() {
        return calls;
    }

    int failures() {
        return failures;
    }
}
